package io.lanequeue;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.EffectOperator;
import io.lanequeue.effects.RepoCounts;
import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LaneQuery;
import io.lanequeue.outbox.LaneState;
import io.lanequeue.outbox.OutboxOperator;
import io.lanequeue.schema.LanequeueSchema;
import io.lanequeue.schema.RepoId;
import io.lanequeue.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The code of the README is this project's compiled code, and it does what the README says. */
class ReadmeTest {

    @ParameterizedTest
    @ValueSource(strings = {"GettingStarted", "GettingStartedWithEffects"})
    void showsTheCodeThatIsCompiledHere(String service) throws IOException {
        String source = Files.readString(Path.of("src/test/java/io/lanequeue/" + service + ".java"));
        String compiled = source.substring(
                        source.indexOf("// README begins\n") + "// README begins\n".length(),
                        source.indexOf("\n    // README ends"))
                .stripIndent();
        String readme = Files.readString(Path.of("../README.md"));

        assertThat(readme).contains("```java\n" + compiled + "\n```");
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

    private static void sendUnlessPoisoned(Event event, List<Integer> sent) {
        if (event.pts() == 2) {
            throw new IllegalStateException("poison");
        }
        sent.add(event.pts());
    }
}
