package io.lanequeue.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.testing.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a worker that stops does with what it has in hand, and what it says of that. */
class OutboxStopTest extends OutboxWorkerFixture {

    /** In real time: the worker's stands still. */
    private static final Duration SHORT_DEADLINE = Duration.ofMillis(200);

    private final Latch begun = new Latch();
    private final Latch door = new Latch();
    private final StatementGate gate = new StatementGate();
    private final AtomicInteger handedOut = new AtomicInteger();
    private final Queue<Integer> handled = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Cancellation> told = new AtomicReference<>();

    @Test
    void anIdleWorkerStopsAtOnceAndClaimsNothingAnyMore() {
        OutboxWorker worker = start((event, attempt) -> handled.add(event.pts()));
        timing.awaitWaiting();

        StopReport report = worker.stop(DEADLINE);
        append(1, 1);
        worker.wake();

        assertThat(report).isEqualTo(new StopReport(0, 0, 0, 0, 0));
        assertThat(head(1).getLeaseId()).isNull();
        assertThat(handled).isEmpty();
    }

    @Test
    void finishesThePresentEventAndGivesBackTheRestOfTheLane() throws Exception {
        append(1, 3);
        append(2, 1);
        var bothBegun = new Latch(2);
        OutboxWorker worker = start(bothBegun, (event, attempt) -> door.pass());
        bothBegun.passWhateverComes();

        FutureTask<StopReport> stop = stopping(worker::stop);
        door.open();

        assertThat(stop.get()).isEqualTo(new StopReport(1, 0, 1, 0, 0));
        assertThat(handled).containsExactly(1, 1); // the first of each lane
        assertThat(waiting(1)).containsExactly(2, 3);
        assertThat(waiting(2)).isEmpty();
        assertThat(head(1).getLeaseId()).isNull();
        assertThat(head(1).getAttempts()).isZero();
    }

    @Test
    void interruptsHandlersBeforeTheDeadlineAndGivesTheirLanesBack() throws Exception {
        append(1, 2);
        OutboxWorker worker = start(begun, (event, attempt) -> {
            try {
                door.pass();
            } finally {
                told.set(attempt.cancellation());
            }
        });
        begun.passWhateverComes();

        FutureTask<StopReport> stop = stopping(worker::stop);
        timing.jump(DEADLINE.multipliedBy(8).dividedBy(10));

        assertThat(stop.get()).isEqualTo(new StopReport(0, 0, 1, 0, 0));
        assertThat(told).hasValue(Cancellation.STOPPING);
        assertThat(waiting(1)).containsExactly(1, 2);
        assertThat(head(1).getLeaseId()).isNull();
        assertThat(head(1).getLastError()).isNull();
    }

    /** The handler still runs: its lane is not given to anybody, until the lease is over. */
    @Test
    void leavesTheLaneOfAHandlerThatDoesNotReturnLeased() throws Exception {
        append(1, 2);
        OutboxWorker worker = start(begun, (event, attempt) -> door.passWhateverComes());
        begun.passWhateverComes();

        FutureTask<StopReport> stop = stopping(worker::stop);
        timing.jump(DEADLINE);

        assertThat(stop.get()).isEqualTo(new StopReport(0, 0, 0, 0, 1));
        assertThat(stop.get().isClean()).isFalse();
        assertThat(head(1).getLeaseId()).isNotNull();
        door.open();
    }

    @Test
    void goesOnExtendingLeasesWhileItWaits() throws Exception {
        append(1, 1);
        OutboxWorker worker = start((event, attempt) -> {
            begun.open();
            door.pass();
        });
        begun.passWhateverComes();
        Instant leaseEnd = head(1).getAvailableAt();

        FutureTask<StopReport> stop = stopping(worker::stop);
        timing.pass(LEASE.dividedBy(3));

        assertThat(head(1).getAvailableAt()).isAfter(leaseEnd);
        door.open();
        assertThat(stop.get()).isEqualTo(new StopReport(1, 0, 0, 0, 0));
    }

    @Test
    void givesBackWhatAClaimBringsThatIsOpenWhenTheOrderComes() throws Exception {
        append(1, 2);
        OutboxWorker worker = startAtTheGate();

        var stop = new FutureTask<>(() -> worker.stop(DEADLINE));
        gate.awaitStatement();
        Thread stopping = new Thread(stop, "stopping");
        stopping.start();
        awaitWaiting(stopping);
        gate.open();

        assertThat(stop.get()).isEqualTo(new StopReport(0, 0, 1, 0, 0));
        assertThat(handedOut).hasValue(0);
        assertThat(head(1).getLeaseId()).isNull();
        assertThat(head(1).getAttempts()).isZero();
    }

    @Test
    void countsAClaimThatHasNoAnswerAtTheDeadlineAsLeftAndStillGivesBackWhatItBrings() {
        append(1, 2);
        OutboxWorker worker = startAtTheGate();
        gate.awaitStatement();

        StopReport report = worker.stop(Duration.ofMillis(10));
        assertThat(report).isEqualTo(new StopReport(0, 0, 0, 0, 1));
        assertThat(report.isClean()).isFalse();

        timing.jump(DEADLINE);
        gate.open();
        assertThat(worker.stop(DEADLINE)).isEqualTo(new StopReport(0, 0, 1, 0, 0));
        assertThat(handedOut).hasValue(0);
        assertThat(head(1).getLeaseId()).isNull();
    }

    /** The coordinator, which would tell it, is held up in a statement. */
    @Test
    void handlesNoFurtherEventFromTheOrderOn() throws Exception {
        append(1, 3);
        var returned = new Latch();
        OutboxWorker worker = holdUpWhileAHandlerWorks(returned, door::passWhateverComes);

        var stop = new FutureTask<>(() -> worker.stop(DEADLINE));
        Thread stopping = new Thread(stop, "stopping");
        stopping.start();
        awaitWaiting(stopping);
        door.open();
        returned.passWhateverComes();

        assertThat(handled).containsExactly(1);
        gate.open();
        assertThat(stop.get()).isEqualTo(new StopReport(0, 0, 1, 0, 0));
        assertThat(waiting(1)).containsExactly(2, 3);
    }

    @Test
    void interruptsAHandlerThoughTheWorkerIsHeldUpInAStatement() {
        append(1, 2);
        var returned = new Latch();
        OutboxWorker worker = holdUpWhileAHandlerWorks(returned, door::pass);

        StopReport report = worker.stop(SHORT_DEADLINE);
        returned.passWhateverComes();

        assertThat(told).hasValue(Cancellation.STOPPING);
        assertThat(report.left()).isPositive();
        gate.open();
        assertThat(worker.stop(DEADLINE)).isEqualTo(new StopReport(0, 0, 1, 0, 0));
        assertThat(head(1).getLastError()).isNull();
    }

    /** Returns when a handler is at work and the worker is held before a statement. */
    private OutboxWorker holdUpWhileAHandlerWorks(Latch returned, HandlerCall.Work work) {
        OutboxWorker worker =
                started(OutboxWorker.on(gate.before(source()), request().withLease(Duration.ofHours(1)))
                        .start(
                                task -> threads.execute(() -> {
                                    task.run();
                                    returned.open();
                                }),
                                (event, attempt) -> {
                                    handled.add(event.pts());
                                    begun.open();
                                    try {
                                        work.run();
                                    } finally {
                                        told.set(attempt.cancellation());
                                    }
                                },
                                timing));
        begun.passWhateverComes();
        timing.awaitWaiting();
        gate.shut();
        worker.wake();
        gate.awaitStatement();
        return worker;
    }

    @Test
    void givesBackWhatTheExecutorHasNotBegunWith() {
        append(1, 2);
        var waiting = new LinkedBlockingQueue<Runnable>();
        OutboxWorker worker =
                started(worker(request()).start(waiting::add, (event, attempt) -> handled.add(event.pts()), timing));
        timing.awaitWaiting();

        StopReport report = worker.stop(DEADLINE);
        waiting.remove().run();

        assertThat(report).isEqualTo(new StopReport(0, 0, 1, 0, 0));
        assertThat(handled).isEmpty();
        assertThat(head(1).getLeaseId()).isNull();
        assertThat(head(1).getAttempts()).isZero();
    }

    @Test
    void toldTwiceItSaysTheSameTwice() {
        append(1, 1);
        OutboxWorker worker = start((event, attempt) -> begun.open());
        begun.passWhateverComes();

        StopReport first = worker.stop(DEADLINE);

        assertThat(worker.stop(Duration.ZERO)).isEqualTo(first);
        worker.close();
    }

    @Test
    void withoutAnyTimeItLeavesWhatRuns() {
        append(1, 1);
        OutboxWorker worker = start(begun, (event, attempt) -> door.passWhateverComes());
        begun.passWhateverComes();
        timing.awaitWaiting();

        StopReport report = worker.stop(Duration.ZERO);

        assertThat(report.left()).isEqualTo(1);
        door.open();
    }

    /** A worker that is held before its first claim. */
    private OutboxWorker startAtTheGate() {
        gate.shut();
        return started(OutboxWorker.on(gate.before(source()), request())
                .start(
                        task -> {
                            handedOut.incrementAndGet();
                            threads.execute(task);
                        },
                        (event, attempt) -> {},
                        timing));
    }

    /** The order stands before whoever gave it waits for the worker's end. */
    private static void awaitWaiting(Thread stopping) {
        Await.until("the stop waits", () -> stopping.getState() == Thread.State.TIMED_WAITING);
    }

    private OutboxWorker start(Latch begun, EventHandler handler) {
        return start(worker(request().withLease(Duration.ofHours(1))), (event, attempt) -> {
            handled.add(event.pts());
            begun.open();
            handler.handle(event, attempt);
        });
    }
}
