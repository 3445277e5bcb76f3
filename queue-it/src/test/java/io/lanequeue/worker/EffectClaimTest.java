package io.lanequeue.worker;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.EffectReport;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.worker.Witness.Happening;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Handlers of effects that take their time: claims that are extended, lost, given up, or given back. */
class EffectClaimTest extends EffectWorkerFixture {

    private static final Duration THIRD = STALE.dividedBy(3);

    private final Latch begun = new Latch();
    private final Latch door = new Latch();
    private final AtomicReference<Cancellation> told = new AtomicReference<>();

    @Test
    void extendsTheClaimAsLongAsTheHandlerRuns() {
        EffectId id = enqueue("repo");
        start(this::heedsItsInterruption);
        begun.passWhateverComes();
        Instant atFirst = effect(id).getClaimedAt();

        timing.pass(THIRD);

        assertThat(effect(id).getClaimedAt()).isAfter(atFirst);
        door.open();
        witness.await(Happening.DELIVERED, 1);
    }

    @Test
    void goesOnThoughTheNextEffectIsDueInThousandsOfYears() {
        EffectId far = new EffectProducer()
                .enqueue(dsl, NewEffect.of("far", "x").withDelay(THIRD))
                .id();
        dsl.update(EFFECT_QUEUE)
                .set(EFFECT_QUEUE.SCHEDULED_AT, Instant.parse("9999-01-01T00:00:00Z"))
                .where(EFFECT_QUEUE.ID.eq(far))
                .execute();
        start((effect, attempt) -> {});
        timing.pass(POLL_INTERVAL.multipliedBy(10));

        enqueue("repo");
        timing.pass(POLL_INTERVAL);
        witness.await(Happening.DELIVERED, 1);

        assertThat(witness.count(Happening.WENT_AWAY)).isZero();
    }

    /** The place that it frees is that one's: nothing else tells the worker that it may have it now. */
    @Test
    void looksAtOnceForWhatHasSupersededWhatItHeld() {
        NewEffect keyed = NewEffect.of("repo", "x").withDedupeKey("k");
        var calls = new AtomicInteger();
        new EffectProducer().enqueue(dsl, keyed);
        start(worker(request().withCap(1)), (effect, attempt) -> {
            if (calls.getAndIncrement() == 0) {
                begun.open();
                door.passWhateverComes();
                throw new IllegalStateException("by the test");
            }
        });
        begun.passWhateverComes();
        new EffectProducer().enqueue(dsl, keyed);
        timing.pass(POLL_INTERVAL.multipliedBy(2));

        door.open();
        witness.await(Happening.DELIVERED, 1);

        assertThat(witness.count(Happening.RELEASED)).isEqualTo(1);
    }

    @Test
    void tellsTheHandlerThatItsClaimIsLostAndRecordsNothing() {
        EffectId id = enqueue("repo");
        EffectWorker worker = start(worker(request().withLimit(1)), this::heedsItsInterruption);
        begun.passWhateverComes();
        takeBack();
        List<ClaimedEffect> taken = claimAndDie();

        timing.pass(THIRD);
        witness.await(Happening.HANDLED, 1);
        worker.close();

        assertThat(told).hasValue(Cancellation.LEASE_LOST);
        assertThat(witness.count(Happening.LOST)).isEqualTo(1);
        assertThat(witness.count(Happening.FAILED)).isZero();
        assertThatTheOtherIsUndisturbed(id, taken);
    }

    @Test
    void aHandlerThatHangsAndReturnsLateChangesNothing() {
        EffectId id = enqueue("repo");
        EffectWorker worker = start(worker(request().withLimit(1)), this::hangs);
        begun.passWhateverComes();
        takeBack();
        List<ClaimedEffect> taken = claimAndDie();
        timing.pass(THIRD);

        door.open();
        worker.close();

        assertThat(witness.count(Happening.DELIVERED)).isZero();
        assertThat(witness.count(Happening.LOST)).isEqualTo(1);
        assertThatTheOtherIsUndisturbed(id, taken);
    }

    /** Both claims of the effect then have a failure to report at once. */
    @Test
    void goesOnWhenTheEarlierHandlerFailsWhileTheEffectIsClaimedAgain() {
        EffectId id = enqueue("repo");
        var gate = new StatementGate();
        var returned = new Latch();
        EffectWorker worker = started(EffectWorker.on(gate.before(source()), request())
                .withEvents(witness)
                .start(
                        task -> threads.execute(() -> {
                            task.run();
                            returned.open();
                        }),
                        (effect, attempt) -> {
                            begun.open();
                            door.passWhateverComes();
                            throw new IllegalStateException("too late");
                        },
                        timing));
        begun.passWhateverComes();
        timing.awaitWaiting();
        gate.shut();
        worker.wake();
        gate.awaitStatement();
        takeBack();
        door.open();
        returned.passWhateverComes();

        gate.open();
        witness.await(Happening.FAILED, 1);

        assertThat(witness.count(Happening.LOST)).isEqualTo(1);
        assertThat(witness.count(Happening.WENT_AWAY)).isZero();
        assertThat(effect(id).getLastError()).contains("earlier handler");
    }

    /** The executor has no thread for it until then, and the coordinator, which would cancel it, is held up. */
    @Test
    void callsNoHandlerOnceTheClaimMayBeStale() {
        EffectId id = enqueue("repo");
        var gate = new StatementGate();
        var waiting = new LinkedBlockingQueue<Runnable>();
        EffectWorker worker = started(EffectWorker.on(gate.before(source()), request())
                .withStaleAfter(STALE)
                .withEvents(witness)
                .start(waiting::add, (effect, attempt) -> {}, timing));
        timing.awaitWaiting();
        gate.shut();
        worker.wake();
        gate.awaitStatement();

        timing.jump(STALE);
        waiting.remove().run();

        assertThat(witness.count(Happening.HANDLED)).isZero();
        gate.open();
        witness.await(Happening.RELEASED, 1);
        assertThat(effect(id).getLastError()).isNull();
        worker.stop(Duration.ZERO);
    }

    @Test
    void aHandlerThatReturnsBeforeTheLossIsNoticedChangesNothingEither() {
        EffectId id = enqueue("repo");
        start(worker(request().withLimit(1)), this::hangs);
        begun.passWhateverComes();
        takeBack();
        List<ClaimedEffect> taken = claimAndDie();

        door.open();
        witness.await(Happening.LOST, 1);

        assertThat(witness.count(Happening.DELIVERED)).isZero();
        assertThatTheOtherIsUndisturbed(id, taken);
    }

    @Test
    void interruptsAHandlerThatTakesTooLongAndCountsAFailure() {
        EffectId id = enqueue("repo");
        start(worker(request()).withTimeLimit(THIRD), this::heedsItsInterruption);
        begun.passWhateverComes();

        timing.pass(THIRD);
        witness.await(Happening.FAILED, 1);

        assertThat(told).hasValue(Cancellation.TIME_LIMIT);
        assertThat(effect(id).getState()).isEqualTo(EffectState.SCHEDULED);
        assertThat(effect(id).getLastError()).contains("taken too long");
    }

    @Test
    void aHandlerThatHangsForGoodLosesItsClaim() {
        EffectId id = enqueue("repo");
        start(worker(request().withLimit(1)).withTimeLimit(THIRD), this::hangs);
        begun.passWhateverComes();
        timing.pass(THIRD);
        Instant lastExtended = effect(id).getClaimedAt();

        timing.pass(STALE);

        assertThat(effect(id).getClaimedAt()).isEqualTo(lastExtended);
        door.open();
    }

    @Test
    void interruptsHandlersBeforeTheDeadlineOfAStopAndGivesTheirEffectsBack() throws Exception {
        EffectId id = enqueue("repo");
        EffectWorker worker = start(worker(request()).withStaleAfter(Duration.ofHours(1)), this::heedsItsInterruption);
        begun.passWhateverComes();

        FutureTask<StopReport> stop = stopping(worker::stop);
        timing.jump(DEADLINE.multipliedBy(8).dividedBy(10));

        assertThat(stop.get()).isEqualTo(new StopReport(0, 0, 1, 0, 0));
        assertThat(told).hasValue(Cancellation.STOPPING);
        assertThat(effect(id).getState()).isEqualTo(EffectState.ENQUEUED);
        assertThat(effect(id).getAttempts()).isZero();
    }

    @Test
    void leavesTheEffectOfAHandlerThatDoesNotReturnClaimed() throws Exception {
        EffectId id = enqueue("repo");
        EffectWorker worker = start(worker(request()).withStaleAfter(Duration.ofHours(1)), this::hangs);
        begun.passWhateverComes();

        FutureTask<StopReport> stop = stopping(worker::stop);
        timing.jump(DEADLINE);

        assertThat(stop.get()).isEqualTo(new StopReport(0, 0, 0, 0, 1));
        assertThat(effect(id).getState()).isEqualTo(EffectState.CLAIMED);
        door.open();
    }

    @Test
    void finishesWhatItHasInHandWhenItStops() throws Exception {
        EffectId id = enqueue("repo");
        EffectWorker worker = start(this::heedsItsInterruption);
        begun.passWhateverComes();

        FutureTask<StopReport> stop = stopping(worker::stop);
        EffectId later = enqueue("repo");
        door.open();

        assertThat(stop.get()).isEqualTo(new StopReport(1, 0, 0, 0, 0));
        assertThat(effect(id).getState()).isEqualTo(EffectState.DONE);
        assertThat(effect(later).getState()).isEqualTo(EffectState.ENQUEUED);
    }

    private void heedsItsInterruption(ClaimedEffect effect, Attempt attempt) throws InterruptedException {
        begun.open();
        try {
            door.pass();
        } catch (InterruptedException e) {
            told.set(attempt.cancellation());
            throw e;
        }
    }

    private void hangs(ClaimedEffect effect, Attempt attempt) {
        begun.open();
        door.passWhateverComes();
    }

    private void assertThatTheOtherIsUndisturbed(EffectId id, List<ClaimedEffect> taken) {
        assertThat(effect(id).getState()).isEqualTo(EffectState.CLAIMED);
        assertThat(new EffectConsumer()
                        .complete(dsl, taken.stream().map(ClaimedEffect::claim).toList()))
                .extracting(EffectReport::status)
                .containsExactly(EffectReport.Status.APPLIED);
    }
}
