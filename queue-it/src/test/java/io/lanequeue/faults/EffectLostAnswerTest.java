package io.lanequeue.faults;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.ConnectionLostException;
import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectAudit;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectOperation;
import io.lanequeue.effects.EffectReport;
import io.lanequeue.effects.EffectUpkeep;
import io.lanequeue.effects.Enqueued;
import io.lanequeue.effects.Redrive;
import io.lanequeue.effects.RepoRepair;
import io.lanequeue.effects.StaleReport;
import io.lanequeue.schema.EffectState;
import io.lanequeue.testing.Gate;
import io.lanequeue.testing.QueueContents;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Relay;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Wiring;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each call of the effect queue does when it is made again because its first answer was lost. */
class EffectLostAnswerTest {

    private static final AtomicInteger LOST = new AtomicInteger();

    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);
    private final DSLContext dsl = db.open().dsl();

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @AfterAll
    static void tellHowMany() {
        System.out.println("Lost answers, effects: " + LOST + " calls made again");
    }

    @ParameterizedTest
    @EnumSource
    void callingAgainIsSafe(EffectOperation operation) throws IOException, SQLException {
        Function<DSLContext, Object> call = operation.prepare(dsl);
        QueueContents before = QueueContents.of(dsl);

        LostAnswer.of(db, call);
        LOST.incrementAndGet();
        QueueContents first = QueueContents.of(dsl);
        Object again = call.apply(db.open().dsl());

        assertThat(first.equals(before)).isEqualTo(operation.isReadOnly());
        assertDefined(operation, first, again);
        assertThatWhatIsLeftIsHandled();
    }

    private void assertDefined(EffectOperation operation, QueueContents first, Object again) {
        switch (operation) {
            case ENQUEUE ->
                assertThat(dsl.fetchCount(EFFECT_QUEUE)).as("enqueued twice").isEqualTo(2);
            case ENQUEUE_ALL -> {
                assertThat((List<?>) again)
                        .extracting(enqueued -> ((Enqueued) enqueued).status())
                        .as("one with a key is not added again")
                        .containsExactly(Enqueued.Status.ADDED, Enqueued.Status.ALREADY_WAITING);
                assertThat(dsl.fetchCount(EFFECT_QUEUE)).isEqualTo(3);
            }
            case EXTEND -> assertThat((Map<?, ?>) again).as("still held").hasSize(1);
            default -> {
                assertThat(QueueContents.of(dsl)).as("nothing is done twice").isEqualTo(first);
                assertAnswer(operation, again);
            }
        }
    }

    private static void assertAnswer(EffectOperation operation, Object again) {
        switch (operation) {
            case CLAIM, DISPATCH, DISPATCH_WITH_A_CAP, DISPATCH_THAT_PROMOTES, DISPATCH_THAT_SETTLES, CANCEL ->
                assertThat(again).isEqualTo(List.of());
            case COMPLETE, COMPLETE_OF_REPO, FAIL, RETRY, RELEASE, RELEASE_THAT_IS_SUPERSEDED ->
                assertThat((Collection<?>) again)
                        .isNotEmpty()
                        .allSatisfy(report ->
                                assertThat(((EffectReport) report).status()).isEqualTo(EffectReport.Status.CLAIM_LOST));
            case REQUEUE_STALE, REQUEUE_STALE_THAT_FAILS ->
                assertThat(again).isEqualTo(new StaleReport(List.of(), List.of(), List.of()));
            case PRUNE_DONE, PRUNE_FAILED -> assertThat(again).isEqualTo(0);
            case REDRIVE, REDRIVE_REPO -> assertThat(again).isEqualTo(new Redrive(List.of(), List.of()));
            case REPAIR -> assertThat(again).isEqualTo(new RepoRepair(0, 0));
            case COUNTS, UNTIL_DUE, OLDEST_WAITING, TOTALS, FAILED, FAILED_OF_THE_NEXT_PAGE, DISAGREEMENTS ->
                assertThat(again).isNotNull();
            default -> throw new AssertionError("What does " + operation + " answer?");
        }
    }

    /** Claims that nobody knows of are stale tomorrow, and what is to be repeated is due the day after. */
    private void assertThatWhatIsLeftIsHandled() {
        Instant later = Instant.now().plus(Duration.ofDays(2));
        EffectUpkeep.at(later).requeueStale(dsl, Duration.ofDays(1), 10, 10);
        var consumer = EffectConsumer.at(later);

        List<ClaimedEffect> claimed = consumer.dispatch(dsl, DispatchRequest.by("worker"));
        while (!claimed.isEmpty()) {
            consumer.complete(dsl, claimed.stream().map(ClaimedEffect::claim).toList());
            claimed = consumer.dispatch(dsl, DispatchRequest.by("worker"));
        }

        assertThat(dsl.fetchCount(EFFECT_QUEUE, EFFECT_QUEUE.STATE.notIn(EffectState.DONE, EffectState.FAILED)))
                .isZero();
        assertThat(new EffectAudit().disagreements(dsl, 10)).isEmpty();
    }

    @Test
    void aReportThatIsMadeAgainWhileTheFirstIsStillAtWorkWaitsForItAndIsTold() throws IOException {
        Function<DSLContext, Object> complete = EffectOperation.COMPLETE.prepare(dsl);
        try (Gate gate = Gate.afterChanges(db);
                Relay relay = Relay.before(db.dataSource())) {
            Session cutOff = gate.holds(db.openBy(relay.dataSource()));
            var first = cutOff.start(complete).awaitWaiting();
            relay.nextPassage().cut();
            assertThatThrownBy(first::get).isInstanceOf(ConnectionLostException.class);

            var again = db.open().start(complete).awaitWaiting();
            gate.open();

            assertAnswer(EffectOperation.COMPLETE, again.get());
        }
        assertThat(dsl.fetchCount(EFFECT_QUEUE, EFFECT_QUEUE.STATE.eq(EffectState.DONE)))
                .isOne();
    }
}
