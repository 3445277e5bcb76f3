package io.lanequeue;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.EffectOperator;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.effects.RepoCounts;
import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LaneQuery;
import io.lanequeue.outbox.LaneState;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxOperator;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.schema.LanequeueSchema;
import io.lanequeue.schema.RepoId;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.testing.TestServer;
import io.lanequeue.worker.EffectWorker;
import io.lanequeue.worker.OutboxWorker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The code of the README, and of the pages about workers and operations, is this project's compiled code, and it does
 * what they say.
 */
class ReadmeTest {

    @ParameterizedTest
    @CsvSource({
        "README.md, GettingStarted",
        "README.md, GettingStartedWithEffects",
        "docs/worker.md, GettingStartedWithWorkers",
        "docs/operations.md, GettingStartedWithMeters",
        "docs/operations.md, OperatingByHand"
    })
    void showsTheCodeThatIsCompiledHere(String page, String service) throws IOException {
        String source = Files.readString(Path.of("src/test/java/io/lanequeue/" + service + ".java"));
        String compiled = source.substring(
                        source.indexOf("// README begins\n") + "// README begins\n".length(),
                        source.indexOf("\n    // README ends"))
                .stripIndent();

        assertThat(Files.readString(Path.of("..", page))).contains("```java\n" + compiled + "\n```");
    }

    @Test
    void theServiceDeliversInOrderAndBlocksWhatAlwaysFails() throws SQLException {
        PGSimpleDataSource dataSource = TestServer.emptyDatabase();
        List<Integer> sent = new ArrayList<>();
        var service = new GettingStarted(event -> sendUnlessPoisoned(event, sent));
        service.migrate(dataSource);
        try (Connection connection = dataSource.getConnection()) {
            DSLContext dsl = DSL.using(connection, SQLDialect.POSTGRES);
            dsl.transaction(transaction -> {
                service.placeOrder(transaction.dsl(), 17, 1);
                service.placeOrder(transaction.dsl(), 17, 2);
                service.placeOrder(transaction.dsl(), 17, 3);
            });

            service.deliverOnce(dsl);

            assertThat(sent).containsExactly(1);
            assertThat(new OutboxOperator().lanes(dsl, LaneQuery.of(LaneState.BACKING_OFF)))
                    .singleElement()
                    .satisfies(lane -> {
                        assertThat(lane.headPts()).isEqualTo(2);
                        assertThat(lane.lastError()).contains("poison");
                    });
        }
    }

    @Test
    void theDispatcherRunsEffectsAndRetriesWhatFails() throws SQLException {
        PGSimpleDataSource dataSource = TestServer.emptyDatabase();
        LanequeueSchema.standard().migrate(dataSource);
        List<String> handled = new ArrayList<>();
        var service = new GettingStartedWithEffects(effect -> {
            if (effect.repoId().value().equals("broken")) {
                throw new IllegalStateException("no such branch");
            }
            handled.add(effect.payload());
        });
        try (Connection connection = dataSource.getConnection()) {
            DSLContext dsl = DSL.using(connection, SQLDialect.POSTGRES);
            dsl.transaction(transaction -> {
                service.pushed(transaction.dsl(), "site", "commit 1");
                service.pushed(transaction.dsl(), "site", "commit 2");
                service.pushed(transaction.dsl(), "broken", "commit 3");
            });

            assertThat(service.dispatchOnce(dsl)).isTrue();
            service.upkeep(dsl);

            assertThat(handled).containsExactly("commit 1");
            assertThat(new EffectOperator().counts(dsl, new RepoId("broken"), 10))
                    .isEqualTo(new RepoCounts(1, 0, 0, 0));
        }
    }

    @Test
    void theWorkersDeliverEventsAndDoEffects() throws Exception {
        PGSimpleDataSource dataSource = TestServer.emptyDatabase();
        var sent = new CountDownLatch(2);
        var indexed = new CountDownLatch(1);
        var service = new GettingStartedWithWorkers(event -> sent.countDown(), effect -> indexed.countDown());
        service.migrate(dataSource);
        try (Connection connection = dataSource.getConnection();
                OutboxWorker events = service.deliverEvents(dataSource);
                EffectWorker effects = service.doEffects(dataSource)) {
            DSLContext dsl = DSL.using(connection, SQLDialect.POSTGRES);
            new OutboxProducer()
                    .appendAll(dsl, List.of(NewEvent.of(17, 1, "message", "{}"), NewEvent.of(17, 2, "message", "{}")));
            new EffectProducer().enqueue(dsl, NewEffect.of("site", "commit 1"));

            assertThat(sent.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(indexed.await(30, TimeUnit.SECONDS)).isTrue();
            service.stop(events);
            effects.stop(Duration.ofSeconds(20));

            assertThat(new OutboxOperator().depth(dsl, new TargetUserId(17))).isZero();
        }
    }

    private static void sendUnlessPoisoned(Event event, List<Integer> sent) {
        if (event.pts() == 2) {
            throw new IllegalStateException("poison");
        }
        sent.add(event.pts());
    }
}
