package io.lanequeue.worker;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectFailure;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.testing.ConnectingDataSource;
import io.lanequeue.testing.Sent;
import io.lanequeue.worker.Witness.Happening;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jooq.exception.DataAccessException;
import org.jooq.tools.jdbc.DefaultConnection;
import org.junit.jupiter.api.Test;

/** What the workers of the effect queue clear away among themselves. */
class EffectUpkeepTest extends EffectWorkerFixture {

    private static final String TAKES_BACK = "effect_queue_put_back";
    private static final String TRIES_THE_LOCK = "pg_try_advisory_xact_lock";

    private final StatementGate gate = new StatementGate();

    @Test
    void doesWhatADeadWorkerHeld() {
        List<EffectId> effects = enqueue("repo", 3);
        claimAndDie();
        silentForLong();

        start((effect, attempt) -> {});
        witness.await(Happening.REQUEUED, 3);
        timing.pass(STALE);
        witness.await(Happening.DELIVERED, 3);

        assertThat(count(EffectState.DONE)).isEqualTo(effects.size());
    }

    @Test
    void tellsOfWhatItTookBackWhenThatIsCommittedAndNotBefore() {
        enqueue("repo", 3);
        claimAndDie();
        silentForLong();
        var isTakingBack = new AtomicBoolean();
        var mayCommit = new AtomicBoolean();
        var source = new ConnectingDataSource(() ->
                new DefaultConnection(db.dataSource().getConnection()) {
                    @Override
                    public PreparedStatement prepareStatement(String sql) throws SQLException {
                        isTakingBack.compareAndSet(false, sql.contains(TAKES_BACK));
                        return super.prepareStatement(sql);
                    }

                    @Override
                    public void commit() throws SQLException {
                        if (isTakingBack.get() && mayCommit.compareAndSet(false, true)) {
                            rollback();
                            throw new SQLException("by the test", "40001");
                        }
                        super.commit();
                    }
                });

        started(EffectWorker.on(source, db.schema(), request())
                .withStaleAfter(STALE)
                .withEvents(witness)
                .start(threads, (effect, attempt) -> {}, timing));
        witness.await(Happening.REQUEUED, 3);
        timing.awaitWaiting();

        assertThat(mayCommit).isTrue();
        assertThat(witness.count(Happening.REQUEUED)).isEqualTo(3);
    }

    @Test
    void leavesClaimsThatAreNotStale() {
        EffectId id = enqueue("repo");
        claimAndDie();

        start((effect, attempt) -> {});
        timing.pass(STALE.multipliedBy(2));

        assertThat(effect(id).getState()).isEqualTo(EffectState.CLAIMED);
        assertThat(witness.count(Happening.REQUEUED)).isZero();
    }

    @Test
    void failsAStaleEffectThatHasUsedUpItsAttempts() {
        EffectId id = enqueue("repo");
        claimAndDie();
        silentForLong();

        start(worker(request()).withRetryPolicy(RetryPolicy.standard().withMaxAttempts(1)), (effect, attempt) -> {});
        witness.await(Happening.REQUEUED, 1);
        timing.awaitWaiting();

        assertThat(effect(id).getState()).isEqualTo(EffectState.FAILED);
    }

    @Test
    void deletesWhatEndedLongAgoAndKeepsFailuresUnlessToldOtherwise() {
        EffectId done = enqueue("repo");
        EffectId failed = enqueue("repo");
        List<ClaimedEffect> claimed = claimAndDie();
        new EffectConsumer().complete(dsl, List.of(claimed.get(0).claim()));
        new EffectConsumer().fail(dsl, List.of(new EffectFailure(claimed.get(1).claim(), "no such branch")));
        EffectWorker first = start(worker(request()).withKeepDone(Duration.ZERO), (effect, attempt) -> {});
        timing.awaitWaiting();

        assertThat(dsl.fetchExists(EFFECT_QUEUE, EFFECT_QUEUE.ID.eq(done))).isFalse();
        assertThat(effect(failed).getState()).isEqualTo(EffectState.FAILED);
        first.close();

        var timingOfTheSecond = new ManualTiming();
        started(worker(request()).withKeepFailed(Duration.ZERO).start(threads, (e, a) -> {}, timingOfTheSecond));
        timingOfTheSecond.awaitWaiting();
        assertThat(dsl.fetchExists(EFFECT_QUEUE)).isFalse();
    }

    @Test
    void ofTwoWorkersOneDoesItAndTheOtherGoesOnWithItsWork() {
        enqueue("dead", 3);
        claimAndDie();
        silentForLong();
        EffectId other = enqueue("other");
        gate.shut();
        EffectHandler handler = (effect, attempt) -> {};
        started(EffectWorker.on(gate.before(source(), TAKES_BACK), request().excluding(List.of(repo("other"))))
                .withStaleAfter(STALE)
                .withEvents(witness)
                .start(threads, handler, timing));
        gate.awaitStatement();

        var sent = new SentStatements();
        var ofTheSecond = new Witness();
        var timingOfTheSecond = new ManualTiming();
        started(EffectWorker.on(sent.of(source()), request())
                .withStaleAfter(STALE)
                .withEvents(ofTheSecond)
                .start(threads, handler, timingOfTheSecond));
        ofTheSecond.await(Happening.DELIVERED, 1);
        timingOfTheSecond.pass(STALE);

        assertThat(effect(other).getState()).isEqualTo(EffectState.DONE);
        assertThat(sent.all()).anyMatch(sql -> sql.contains(TRIES_THE_LOCK));
        assertThat(sent.all()).noneMatch(sql -> sql.contains(TAKES_BACK));
        gate.open();
        witness.await(Happening.REQUEUED, 3);
        assertThat(ofTheSecond.count(Happening.REQUEUED)).isZero();
    }

    @Test
    void anUpkeepThatHasNoAnswerAtAStopsDeadlineIsNothingThatIsLeft() {
        gate.shut();
        EffectWorker worker =
                start(EffectWorker.on(gate.before(source(), TRIES_THE_LOCK), request()), (effect, attempt) -> {});
        gate.awaitStatement();

        StopReport report = worker.stop(Duration.ofMillis(10));
        gate.open();

        assertThat(report).isEqualTo(new StopReport(0, 0, 0, 0, 0));
    }

    @Test
    void aRefusedUpkeepDoesNotKeepItFromItsWork() {
        enqueue("repo");
        start(
                EffectWorker.on(
                                Sent.listened(source(), sql -> {
                                    if (sql.startsWith("delete")) {
                                        throw new DataAccessException(
                                                "By the test", new SQLException("by the test", "42501"));
                                    }
                                }),
                                request())
                        .withEvents(witness),
                (effect, attempt) -> {});

        witness.await(Happening.DELIVERED, 1);
        timing.awaitWaiting();

        assertThat(witness.count(Happening.WENT_AWAY)).isZero();
    }

    @Test
    void theDatabaseIsNotBackBeforeItAnswersTheUpkeep() {
        var failing = new AtomicBoolean(true);
        start(
                EffectWorker.on(
                                Sent.listened(source(), sql -> {
                                    if (failing.get() && sql.contains(TAKES_BACK)) {
                                        throw new DataAccessException(
                                                "By the test", new SQLException("by the test", "08006"));
                                    }
                                }),
                                request())
                        .withPollInterval(POLL_INTERVAL)
                        .withEvents(witness),
                (effect, attempt) -> {});
        witness.await(Happening.WENT_AWAY, 1);

        timing.pass(POLL_INTERVAL);
        assertThat(witness.count(Happening.CAME_BACK)).isZero();

        failing.set(false);
        timing.pass(POLL_INTERVAL);
        assertThat(witness.count(Happening.CAME_BACK)).isEqualTo(1);
        assertThat(witness.count(Happening.WENT_AWAY)).isEqualTo(1);
    }

    /** Promotion is part of a claim; what is to be shown is that the worker wakes for it. */
    @Test
    void wakesWhenAScheduledEffectWillBeDue() {
        start(
                worker(request()).withPollInterval(Duration.ofHours(1)).withStaleAfter(Duration.ofDays(30)),
                (effect, attempt) -> {});
        timing.pass(Duration.ofHours(3));
        new EffectProducer().enqueue(dsl, NewEffect.of("repo", "{}").withDelay(Duration.ofMillis(300)));

        timing.pass(Duration.ofHours(1));
        while (witness.count(Happening.DELIVERED) == 0) {
            assertThat(timing.skipWait()).isLessThanOrEqualTo(Duration.ofMillis(300));
        }
    }

    private void silentForLong() {
        dsl.update(EFFECT_QUEUE)
                .set(EFFECT_QUEUE.CLAIMED_AT, Instant.now().minus(Duration.ofHours(1)))
                .where(EFFECT_QUEUE.STATE.eq(EffectState.CLAIMED))
                .execute();
    }
}
