package io.lanequeue.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.testing.Sent;
import io.lanequeue.worker.Witness.Happening;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;

/** A database that does not answer, or refuses, and then does again. */
class OutboxOutageTest extends OutboxWorkerFixture {

    private static final Duration LONG = Duration.ofMinutes(1);

    /** Longer than a pause between tries, and over before a lease is to be extended. */
    private static final Duration SHORT = Duration.ofSeconds(10);

    /** The SQLSTATE with which every statement of the worker fails; null while none does. */
    private final AtomicReference<String> failure = new AtomicReference<>();

    private final Latch begun = new Latch();
    private final Latch door = new Latch();

    @Test
    void goesOnWhenTheDatabaseIsBackAndSaysEachOnce() {
        failure.set("08006");
        append(1, 3);
        startOnFailing((event, attempt) -> {});

        timing.pass(LONG);
        assertThat(witness.count(Happening.WENT_AWAY)).isEqualTo(1);
        assertThat(witness.count(Happening.CAME_BACK)).isZero();

        failure.set(null);
        timing.pass(LONG);
        witness.await(Happening.DELIVERED, 3);
        assertThat(witness.count(Happening.WENT_AWAY)).isEqualTo(1);
        assertThat(witness.count(Happening.CAME_BACK)).isEqualTo(1);
    }

    /** A worker that ended would tell nobody. */
    @Test
    void goesOnAfterAnErrorAsAfterAnOutage() {
        var errors = new AtomicInteger(3);
        append(1, 3);
        DSLContext source = Sent.listened(source(), sql -> {
            if (errors.getAndDecrement() > 0) {
                throw new OutOfMemoryError("by the test");
            }
        });
        start(OutboxWorker.on(source, request()).withEvents(witness), (event, attempt) -> {});

        timing.pass(LONG);
        witness.await(Happening.DELIVERED, 3);
        assertThat(witness.count(Happening.WENT_AWAY)).isEqualTo(1);
        assertThat(witness.count(Happening.CAME_BACK)).isEqualTo(1);
    }

    @Test
    void keepsWhatItHasToReportUntilTheDatabaseTakesIt() {
        append(1, 3);
        startAndHoldAHandler();
        failure.set("25006");
        door.open();
        witness.await(Happening.WENT_AWAY, 1);
        assertThat(waiting(1)).containsExactly(1, 2, 3);

        failure.set(null);
        timing.pass(LONG);
        witness.await(Happening.DELIVERED, 3);

        assertThat(waiting(1)).isEmpty();
        assertThat(witness.count(Happening.HANDLED)).isEqualTo(3);
    }

    @Test
    void tellsAHandlerWhenItsLeaseMayBeOverBecauseNobodyCanExtendIt() {
        append(1, 1);
        var told = new AtomicReference<Cancellation>();
        startOnFailing((event, attempt) -> {
            begun.open();
            try {
                door.pass();
            } finally {
                told.set(attempt.cancellation());
            }
        });
        begun.passWhateverComes();
        timing.awaitWaiting();
        failure.set("57P01");

        timing.pass(LEASE); // to the moment, and not to the next try, by when another worker may have the lane
        witness.await(Happening.HANDLED, 1);
        assertThat(told).hasValue(Cancellation.LEASE_LOST);

        // Nobody had claimed it meanwhile, so it is given back, and was no failure.
        failure.set(null);
        timing.pass(LONG);
        witness.await(Happening.RELEASED, 1);
        assertThat(head(1).getLastError()).isNull();
    }

    @Test
    void aHandlerThatHangsPastTheTimeLimitFailsAlthoughItsLeaseMayHaveBeenOver() {
        append(1, 1);
        Duration limit = LEASE.multipliedBy(2);
        start(
                OutboxWorker.on(failing(failure::get), request())
                        .withTimeLimit(limit)
                        .withEvents(witness),
                (event, attempt) -> {
                    begun.open();
                    door.passWhateverComes();
                    throw new IllegalStateException("at last");
                });
        begun.passWhateverComes();
        timing.awaitWaiting();
        failure.set("57P01");
        timing.pass(LEASE);
        failure.set(null);
        timing.pass(limit);
        Instant leaseEnd = head(1).getAvailableAt();

        timing.pass(LEASE);
        assertThat(head(1).getAvailableAt()).isEqualTo(leaseEnd);

        door.open();
        witness.await(Happening.FAILED, 1);
        assertThat(head(1).getLastError()).contains("taken too long").contains("at last");
    }

    @Test
    void stopsInTimeAlthoughTheDatabaseDoesNotAnswer() {
        append(1, 1);
        OutboxWorker worker = startAndHoldAHandler();
        failure.set("08006");
        door.open();
        witness.await(Happening.WENT_AWAY, 1);

        StopReport report = worker.stop(Duration.ofMillis(100));

        assertThat(report).isEqualTo(new StopReport(0, 0, 0, 0, 1));
        timing.jump(LONG);
    }

    /** While a handler works, a worker that stops has nothing to ask until a lease is to be extended. */
    @Test
    void theDatabaseIsNotBackBeforeAStoppingWorkerHasAskedIt() throws Exception {
        append(1, 1);
        OutboxWorker worker = startAndHoldAHandler();
        failure.set("08006");
        timing.pass(SHORT);
        assertThat(witness.count(Happening.WENT_AWAY)).isEqualTo(1);

        FutureTask<StopReport> stop = stopping(worker::stop);
        timing.pass(SHORT);
        assertThat(witness.count(Happening.CAME_BACK)).isZero();

        failure.set(null);
        door.open();
        assertThat(stop.get()).isEqualTo(new StopReport(1, 0, 0, 0, 0));
        assertThat(witness.count(Happening.CAME_BACK)).isEqualTo(1);
    }

    @Test
    void callsAgainWhatHadToGiveWay() {
        var tries = new AtomicReference<>(0);
        append(1, 1);
        start(
                OutboxWorker.on(failing(() -> tries.updateAndGet(n -> n + 1) % 4 < 2 ? null : "40P01"), request())
                        .withEvents(witness),
                (event, attempt) -> {});

        witness.await(Happening.DELIVERED, 1);

        assertThat(witness.count(Happening.WENT_AWAY)).isZero();
    }

    @Test
    void takesNoContextOnAConnectionOfTheCaller() {
        assertThatThrownBy(() -> OutboxWorker.on(dsl, request())).isInstanceOf(InvalidInputException.class);
        source().transaction(transaction -> assertThatThrownBy(() -> OutboxWorker.on(transaction.dsl(), request()))
                .isInstanceOf(InvalidInputException.class));
    }

    /** A handler is at work, until the door is opened. */
    private OutboxWorker startAndHoldAHandler() {
        OutboxWorker worker = startOnFailing((event, attempt) -> {
            begun.open();
            door.pass();
        });
        begun.passWhateverComes();
        timing.awaitWaiting();
        return worker;
    }

    private OutboxWorker startOnFailing(EventHandler handler) {
        return start(OutboxWorker.on(failing(failure::get), request()).withEvents(witness), handler);
    }
}
