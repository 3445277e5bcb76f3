package io.lanequeue;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectFailure;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.effects.StaleReport;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.Discard;
import io.lanequeue.outbox.LaneOutcome;
import io.lanequeue.outbox.LaneStatus;
import io.lanequeue.outbox.LaneTotals;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.RepoId;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Wiring;
import io.lanequeue.watch.QueueHealth.Status;
import io.lanequeue.watch.QueueWatch;
import io.lanequeue.worker.OutboxWorker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The page about operations: its statements run, and its calls do what it says. */
class OperationsTest {

    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);
    private final DSLContext dsl = db.open().dsl();
    private final List<String> screen = new ArrayList<>();
    private final OperatingByHand operator = new OperatingByHand(screen::add);

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    static Stream<String> statements() throws IOException {
        return Pattern.compile("(?s)```sql\n(.*?)```")
                .matcher(Files.readString(Path.of("..", "docs", "operations.md")))
                .results()
                .flatMap(block -> Stream.of(block.group(1).split(";")))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty());
    }

    @ParameterizedTest
    @MethodSource("statements")
    void everyStatementOfThePageRuns(String statement) {
        dsl.execute(statement);
    }

    @Test
    void theStatementsShowWhoIsSilentAndWhichLanesAreBlocked() throws IOException {
        block(append(1));
        new EffectProducer().enqueue(dsl, NewEffect.of("site", "{}"));
        new EffectConsumer().dispatch(dsl, DispatchRequest.by("dead"));

        assertThat(statements()
                        .filter(statement -> statement.contains("last_error") || statement.contains("silent_for"))
                        .map(statement -> dsl.fetch(statement).size()))
                .containsExactly(1, 1);
    }

    @Test
    void aBlockedLaneIsShownAndTriedAgain() {
        EventId poisoned = append(1);
        block(poisoned);

        LaneStatus lane = operator.blocked(dsl).get(0);

        assertThat(screen).containsExactly("1 at " + poisoned + ": poison");
        assertThat(operator.retry(dsl, lane)).isTrue();
        assertThat(operator.retry(dsl, lane)).isFalse();
        assertThat(claim().events().get(0).id()).isEqualTo(poisoned);
    }

    @Test
    void anEventIsTakenOutAndBroughtBack() {
        EventId poisoned = append(1);
        block(poisoned);

        Discard discard = operator.takeOut(dsl, operator.blocked(dsl).get(0), "no such address");

        assertThat(discard.events()).isEqualTo(1);
        assertThat(operator.bringBack(dsl, poisoned)).containsOnlyKeys(poisoned);
    }

    @Test
    void failedEffectsAreShownAndWaitAgain() {
        new EffectProducer().enqueue(dsl, NewEffect.of("site", "{}"));
        ClaimedEffect effect =
                new EffectConsumer().dispatch(dsl, DispatchRequest.by("worker")).get(0);
        new EffectConsumer().fail(dsl, List.of(new EffectFailure(effect.claim(), "no such branch")));

        assertThat(operator.redrive(dsl, new RepoId("site")).enqueued())
                .containsExactly(effect.claim().effect());
        assertThat(screen).containsExactly(effect.claim().effect() + ": no such branch");
    }

    @Test
    void onlyWhatIsSilentIsTakenBack() {
        new EffectProducer().enqueue(dsl, NewEffect.of("site", "{}"));
        new EffectConsumer().dispatch(dsl, DispatchRequest.by("dead"));
        assertThat(operator.takeBack(dsl)).isEqualTo(new StaleReport(List.of(), List.of(), List.of()));

        dsl.execute("update lanequeue.effect_queue set claimed_at = claimed_at - interval '20 minutes'");

        assertThat(operator.takeBack(dsl).requeued()).hasSize(1);
    }

    @Test
    void headsThatWereLostAreShownAndMended() {
        append(1);
        dsl.execute("delete from lanequeue.dispatch_outbox_user_heads");

        operator.mend(dsl);

        assertThat(screen).hasSize(3).element(1).asString().startsWith("1 lanes repaired, 0 were busy");
        assertThat(claim().events()).hasSize(1);
    }

    @Test
    void theServiceCountsWhatItDeliversAndTellsItsHealth() throws InterruptedException {
        var registry = new SimpleMeterRegistry();
        var sent = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        var service = new GettingStartedWithMeters(threads, event -> sent.countDown());
        append(1);
        try (OutboxWorker worker = service.deliverEvents(db.dataSource(), registry)) {
            assertThat(sent.await(30, TimeUnit.SECONDS)).isTrue();
            worker.stop(Duration.ofSeconds(20));
        } finally {
            threads.shutdown();
        }

        QueueWatch<LaneTotals> outbox = service.watchOutbox(db.dataSource(), registry);
        service.watchEffects(db.dataSource(), registry);

        assertThat(registry.get("lanequeue.delivered").counter().count()).isEqualTo(1);
        assertThat(registry.get("lanequeue.lanes").tag("state", "ready").gauge().value())
                .isZero();
        assertThat(registry.get("lanequeue.repos.waiting").gauge().value()).isZero();
        assertThat(service.health(outbox).status()).isEqualTo(Status.UP);
    }

    private EventId append(long user) {
        return new OutboxProducer().append(dsl, NewEvent.of(user, 1, "message", "{}"));
    }

    private LeasedLane claim() {
        return new OutboxConsumer()
                .claim(dsl, ClaimRequest.by("worker"))
                .lanes()
                .get(0);
    }

    private void block(EventId event) {
        new OutboxConsumer().finish(dsl, List.of(LaneOutcome.block(claim(), event, "poison")));
    }
}
