package io.lanequeue.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LaneReport;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.worker.Witness.Happening;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Handlers that take their time: leases that are extended, lost, or given up. */
class OutboxLeaseTest extends OutboxWorkerFixture {

    private static final Duration THIRD = LEASE.dividedBy(3);

    private final Latch begun = new Latch();
    private final Latch door = new Latch();
    private final Latch interrupted = new Latch();
    private final AtomicReference<Cancellation> told = new AtomicReference<>();

    @Test
    void extendsTheLeaseAsLongAsTheHandlerRuns() {
        append(1, 1);
        start((event, attempt) -> {
            begun.open();
            door.pass();
        });
        begun.passWhateverComes();
        Instant atFirst = head(1).getAvailableAt();

        timing.pass(THIRD);
        Instant once = head(1).getAvailableAt();
        timing.pass(THIRD);
        Instant twice = head(1).getAvailableAt();

        assertThat(once).isAfter(atFirst);
        assertThat(twice).isAfter(once);
        door.open();
        witness.await(Happening.DELIVERED, 1);
    }

    @Test
    void tellsTheHandlerThatItsLeaseIsLostAndRecordsNothing() {
        append(1, 2);
        OutboxWorker worker = start(this::heedsItsInterruption);
        begun.passWhateverComes();
        Claim taken = claimByAnother();

        timing.pass(THIRD);
        interrupted.passWhateverComes();
        worker.close();

        assertThat(told).hasValue(Cancellation.LEASE_LOST);
        assertThat(witness.count(Happening.LOST)).isEqualTo(1);
        assertThat(witness.count(Happening.FAILED)).isZero();
        assertThatTheOtherIsUndisturbed(taken);
    }

    @Test
    void aHandlerThatHangsAndReturnsLateChangesNothing() {
        append(1, 2);
        Queue<Integer> handled = new ConcurrentLinkedQueue<>();
        OutboxWorker worker = start((event, attempt) -> {
            handled.add(event.pts());
            begun.open();
            door.passWhateverComes();
            told.set(attempt.cancellation());
        });
        begun.passWhateverComes();
        Claim taken = claimByAnother();
        timing.pass(THIRD);

        door.open();
        worker.close();

        assertThat(told).hasValue(Cancellation.LEASE_LOST);
        assertThat(handled).containsExactly(1);
        assertThat(witness.count(Happening.DELIVERED)).isZero();
        assertThat(witness.count(Happening.LOST)).isEqualTo(1);
        assertThatTheOtherIsUndisturbed(taken);
    }

    @Test
    void aHandlerThatReturnsBeforeTheLossIsNoticedChangesNothingEither() {
        append(1, 2);
        start((event, attempt) -> {
            begun.open();
            door.pass();
        });
        begun.passWhateverComes();
        Claim taken = claimByAnother();

        door.open();
        witness.await(Happening.LOST, 1);

        assertThat(witness.count(Happening.DELIVERED)).isZero();
        assertThatTheOtherIsUndisturbed(taken);
    }

    @Test
    void interruptsAHandlerThatTakesTooLongAndCountsAFailure() {
        append(1, 1);
        start(worker(request()).withTimeLimit(THIRD), this::heedsItsInterruption);
        begun.passWhateverComes();

        timing.pass(THIRD);
        interrupted.passWhateverComes();
        witness.await(Happening.FAILED, 1);

        assertThat(told).hasValue(Cancellation.TIME_LIMIT);
        assertThat(head(1).getLastError()).contains("taken too long").contains("InterruptedException");
    }

    /** As after a pause of the whole process. */
    @Test
    void aHandlerThatOutlastsItsLeaseAndItsTimeLimitAtOnceTookTooLong() {
        append(1, 1);
        start(worker(request()).withTimeLimit(LEASE), this::heedsItsInterruption);
        begun.passWhateverComes();
        timing.awaitWaiting();

        timing.jump(LEASE.multipliedBy(2));
        interrupted.passWhateverComes();
        witness.await(Happening.FAILED, 1);

        assertThat(told).hasValue(Cancellation.TIME_LIMIT);
    }

    @Test
    void aHandlerThatHangsForGoodLosesTheLaneAndKeepsItsSlot() {
        append(1, 1);
        start(worker(request().withLanes(1)).withTimeLimit(THIRD), (event, attempt) -> {
            begun.open();
            door.passWhateverComes();
        });
        begun.passWhateverComes();
        timing.pass(THIRD);
        Instant leaseEnd = head(1).getAvailableAt();

        timing.pass(LEASE);
        append(2, 1);
        timing.pass(LEASE);

        assertThat(head(1).getAvailableAt()).isEqualTo(leaseEnd);
        assertThat(head(2).getLeaseId()).isNull();
        door.open();
        witness.await(Happening.DELIVERED, 2);
    }

    @Test
    void doesNotLetTwoThreadsWorkOnALaneThatItClaimsAgain() {
        append(1, 1);
        Queue<Integer> handled = new ConcurrentLinkedQueue<>();
        OutboxWorker worker = start((event, attempt) -> {
            handled.add(attempt.number());
            begun.open();
            door.passWhateverComes();
        });
        begun.passWhateverComes();
        Claim taken = claimByAnother();
        new OutboxConsumer()
                .release(dsl, taken.lanes().stream().map(LeasedLane::lease).toList());

        worker.wake();
        witness.await(Happening.FAILED, 1);

        assertThat(handled).hasSize(1);
        assertThat(head(1).getLastError()).contains("earlier handler");
        door.open();
    }

    /** Both claims of the lane then have something to report at once. */
    @Test
    void goesOnWhenTheEarlierHandlerReturnsWhileTheLaneIsClaimedAgain() {
        append(1, 1);
        var gate = new StatementGate();
        var returned = new Latch();
        OutboxWorker worker = started(OutboxWorker.on(gate.before(source()), request())
                .withEvents(witness)
                .start(
                        task -> threads.execute(() -> {
                            task.run();
                            returned.open();
                        }),
                        (event, attempt) -> {
                            begun.open();
                            door.passWhateverComes();
                        },
                        timing));
        begun.passWhateverComes();
        timing.awaitWaiting();
        gate.shut();
        worker.wake();
        gate.awaitStatement();
        new OutboxConsumer()
                .release(
                        dsl,
                        claimByAnother().lanes().stream().map(LeasedLane::lease).toList());
        door.open();
        returned.passWhateverComes();

        gate.open();
        witness.await(Happening.FAILED, 1);

        assertThat(witness.count(Happening.LOST)).isEqualTo(1);
        assertThat(witness.count(Happening.DELIVERED)).isZero();
        assertThat(witness.count(Happening.WENT_AWAY)).isZero();
        assertThat(head(1).getLastError()).contains("earlier handler");
    }

    /** The coordinator, which would cancel it, is held up in a statement. */
    @Test
    void callsNoFurtherHandlerOnceTheLeaseMayBeOver() {
        append(1, 3);
        Queue<Integer> handled = new ConcurrentLinkedQueue<>();
        var gate = new StatementGate();
        var returned = new Latch();
        OutboxWorker worker = started(OutboxWorker.on(gate.before(source()), request())
                .withEvents(witness)
                .start(
                        task -> threads.execute(() -> {
                            task.run();
                            returned.open();
                        }),
                        (event, attempt) -> {
                            handled.add(event.pts());
                            begun.open();
                            door.passWhateverComes();
                        },
                        timing));
        begun.passWhateverComes();
        timing.awaitWaiting();
        gate.shut();
        worker.wake();
        gate.awaitStatement();

        timing.jump(LEASE);
        door.open();
        returned.passWhateverComes();

        assertThat(handled).containsExactly(1);
        // What it did counts, as long as the database knows of no other holder; and what it did not do is no failure.
        gate.open();
        witness.await(Happening.DELIVERED, 3);
        assertThat(handled).containsExactly(1, 2, 3);
        assertThat(witness.count(Happening.FAILED)).isZero();
        assertThat(witness.count(Happening.LOST)).isZero();
    }

    @Test
    void countsAnInterruptionByOthersAsAFailure() {
        append(1, 1);
        start(this::heedsItsInterruption);
        begun.passWhateverComes();

        threads.shutdownNow();
        witness.await(Happening.FAILED, 1);

        interrupted.passWhateverComes();
        assertThat(told).hasValue(null);
        assertThat(head(1).getLastError()).contains("InterruptedException");
    }

    @Test
    void givesBackWhatTheExecutorRefuses() {
        append(1, 1);
        threads.shutdown();

        start((event, attempt) -> {});
        witness.await(Happening.RELEASED, 1);

        assertThat(head(1).getLeaseId()).isNull();
        assertThat(head(1).getAttempts()).isZero();
        // Not at once again, but after a pause.
        timing.awaitWaiting();
        assertThat(witness.count(Happening.CLAIMED)).isEqualTo(1);
    }

    @Test
    void givesBackWhatTheExecutorHasNoThreadForAndGoesOn() {
        append(1, 1);
        var full = new AtomicBoolean(true);
        started(worker(request())
                .start(
                        task -> {
                            if (full.getAndSet(false)) {
                                throw new OutOfMemoryError("by the test: unable to create native thread");
                            }
                            threads.execute(task);
                        },
                        (event, attempt) -> {},
                        timing));
        witness.await(Happening.RELEASED, 1);

        timing.pass(POLL_INTERVAL);
        witness.await(Happening.DELIVERED, 1);

        assertThat(witness.count(Happening.FAILED)).isZero();
        assertThat(witness.count(Happening.WENT_AWAY)).isZero();
    }

    @Test
    void whatTheExecutorHasBegunWithIsNotGivenBackThoughItThrows() {
        append(1, 1);
        Queue<Integer> handled = new ConcurrentLinkedQueue<>();
        var throwing = new AtomicBoolean(true);
        OutboxWorker worker = started(worker(request())
                .start(
                        task -> {
                            threads.execute(task);
                            if (throwing.getAndSet(false)) {
                                begun.passWhateverComes();
                                throw new OutOfMemoryError("by the test: unable to create native thread");
                            }
                        },
                        (event, attempt) -> {
                            handled.add(event.pts());
                            begun.open();
                            door.pass();
                        },
                        timing));
        timing.awaitWaiting();
        assertThat(witness.count(Happening.RELEASED)).isZero();
        assertThat(head(1).getLeaseId()).isNotNull();

        door.open();
        witness.await(Happening.DELIVERED, 1);
        append(2, 1);
        worker.wake();
        witness.await(Happening.DELIVERED, 2);

        assertThat(handled).hasSize(2);
        assertThat(witness.count(Happening.LOST)).isZero();
        assertThat(witness.count(Happening.WENT_AWAY)).isZero();
    }

    @Test
    void whatTheExecutorKeepsThoughItThrewIsNotHandledByTwo() {
        append(1, 1);
        Queue<Integer> handled = new ConcurrentLinkedQueue<>();
        var kept = new LinkedBlockingQueue<Runnable>();
        var throwing = new AtomicBoolean(true);
        OutboxWorker worker = started(worker(request())
                .start(
                        task -> {
                            if (throwing.getAndSet(false)) {
                                kept.add(task);
                                throw new OutOfMemoryError("by the test: unable to create native thread");
                            }
                            threads.execute(task);
                        },
                        (event, attempt) -> {
                            handled.add(event.pts());
                            begun.open();
                            door.pass();
                        },
                        timing));
        witness.await(Happening.RELEASED, 1);
        timing.pass(POLL_INTERVAL);
        begun.passWhateverComes();

        kept.remove().run();
        door.open();
        witness.await(Happening.DELIVERED, 1);
        append(2, 1);
        worker.wake();
        witness.await(Happening.DELIVERED, 2);

        assertThat(handled).hasSize(2);
        assertThat(witness.count(Happening.LOST)).isZero();
        assertThat(witness.count(Happening.WENT_AWAY)).isZero();
    }

    @Test
    void doesNotHoldForEverWhatTheExecutorForgets() {
        append(1, 1);
        var forgetting = new AtomicBoolean(true);
        started(worker(request().withLanes(1))
                .withTimeLimit(THIRD)
                .start(
                        task -> {
                            if (!forgetting.getAndSet(false)) {
                                threads.execute(task);
                            }
                        },
                        (event, attempt) -> {},
                        timing));
        timing.awaitWaiting();
        assertThat(head(1).getLeaseId()).isNotNull();

        timing.pass(THIRD);
        witness.await(Happening.RELEASED, 1);
        timing.pass(POLL_INTERVAL);
        witness.await(Happening.DELIVERED, 1);

        assertThat(witness.count(Happening.FAILED)).isZero();
        assertThat(witness.count(Happening.LOST)).isZero();
    }

    /** Not even a failed attempt, as where an earlier handler has not returned. */
    @Test
    void whatTheExecutorHasForgottenMayBeClaimedAgainByTheSameWorker() {
        append(1, 1);
        var forgetting = new AtomicBoolean(true);
        OutboxWorker worker = started(worker(request())
                .start(
                        task -> {
                            if (!forgetting.getAndSet(false)) {
                                threads.execute(task);
                            }
                        },
                        (event, attempt) -> {},
                        timing));
        timing.awaitWaiting();
        new OutboxConsumer()
                .release(
                        dsl,
                        claimByAnother().lanes().stream().map(LeasedLane::lease).toList());

        worker.wake();
        witness.await(Happening.DELIVERED, 1);

        assertThat(witness.count(Happening.FAILED)).isZero();
        assertThat(witness.count(Happening.LOST)).isEqualTo(1);
    }

    private void heedsItsInterruption(Event event, Attempt attempt) throws InterruptedException {
        begun.open();
        try {
            door.pass();
        } catch (InterruptedException e) {
            told.set(attempt.cancellation());
            interrupted.open();
            throw e;
        }
    }

    private void assertThatTheOtherIsUndisturbed(Claim taken) {
        assertThat(waiting(1)).containsExactly(1, 2);
        assertThat(new OutboxConsumer().complete(dsl, taken))
                .extracting(LaneReport::status)
                .containsExactly(LaneReport.Status.FINISHED);
    }
}
