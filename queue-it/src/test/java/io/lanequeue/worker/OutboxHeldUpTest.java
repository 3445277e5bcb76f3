package io.lanequeue.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import io.lanequeue.worker.Witness.Happening;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Workers whose statements need a lock that somebody's open transaction holds, in front of one lane of several. */
class OutboxHeldUpTest extends OutboxWorkerFixture {

    private static final Duration THIRD = LEASE.dividedBy(3);
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private static final long HELD_UP = 1;
    private static final long OTHER = 2;

    private final Latch begun = new Latch(2);
    private final Latch door = new Latch();
    private final Latch otherDoor = new Latch();

    @Test
    void anOutcomeThatIsHeldUpHoldsUpNoOtherLane() {
        startTwoAtWork();
        Session producer = appendInFront();

        door.open();
        timing.awaitWaiting();
        otherDoor.open();
        witness.await(Happening.DELIVERED, 1);
        append(3, 1);
        timing.pass(POLL_INTERVAL);
        witness.await(Happening.DELIVERED, 2);

        assertThat(waiting(HELD_UP)).containsExactly(2);
        assertThat(waiting(OTHER)).isEmpty();
        assertThat(witness.count(Happening.WENT_AWAY)).isZero();
        end(producer);
    }

    @Test
    void anOutcomeThatIsHeldUpIsRecordedWhenTheOtherTransactionHasEnded() {
        startTwoAtWork();
        Session producer = appendInFront();
        door.open();
        otherDoor.open();
        witness.await(Happening.DELIVERED, 1);
        timing.awaitWaiting();
        producer.commit();
        assertThat(waiting(HELD_UP)).containsExactly(1, 2);

        timing.pass(PAUSE);
        witness.await(Happening.DELIVERED, 2);

        assertThat(waiting(HELD_UP)).doesNotContain(2);
        assertThat(witness.count(Happening.LOST)).isZero();
    }

    @Test
    void anExtensionThatIsHeldUpHoldsUpNoOtherLease() {
        startTwoAtWork();
        Instant before = head(OTHER).getAvailableAt();
        Instant heldUpBefore = head(HELD_UP).getAvailableAt();
        Session producer = appendInFront();

        timing.pass(THIRD);
        assertThat(head(OTHER).getAvailableAt()).isAfter(before);
        assertThat(head(HELD_UP).getAvailableAt()).isEqualTo(heldUpBefore);

        producer.rollback();
        timing.pass(PAUSE);
        assertThat(head(HELD_UP).getAvailableAt()).isAfter(heldUpBefore);
        assertThat(witness.count(Happening.WENT_AWAY)).isZero();
        door.open();
        otherDoor.open();
        witness.await(Happening.DELIVERED, 2);
    }

    @Test
    void aClaimThatIsHeldUpHasFoundNothing() {
        var times = new AtomicInteger(3);
        append(1, 1);
        start(
                OutboxWorker.on(failing(() -> times.getAndDecrement() > 0 ? "55P03" : null), request())
                        .withEvents(witness)
                        .withPollInterval(POLL_INTERVAL),
                (event, attempt) -> {});

        timing.pass(POLL_INTERVAL);
        witness.await(Happening.DELIVERED, 1);

        assertThat(witness.count(Happening.WENT_AWAY)).isZero();
    }

    /** Two lanes, whose handlers wait at their doors. */
    private void startTwoAtWork() {
        new OutboxProducer().append(dsl, NewEvent.of(HELD_UP, 2, "message", "{}"));
        append(OTHER, 1);
        start((event, attempt) -> {
            begun.open();
            if (event.targetUserId().value() == HELD_UP) {
                door.pass();
            } else if (event.targetUserId().value() == OTHER) {
                otherDoor.pass();
            }
        });
        begun.passWhateverComes();
        timing.awaitWaiting();
    }

    /** A producer that has not committed yet, and so holds the lane's head. */
    private Session appendInFront() {
        Session producer = db.begin(Isolation.READ_COMMITTED);
        new OutboxProducer().append(producer.dsl(), NewEvent.of(HELD_UP, 1, "message", "{}"));
        return producer;
    }

    /** And lets the worker notice, which else would wait for it when it is closed. */
    private void end(Session producer) {
        producer.rollback();
        timing.pass(PAUSE);
    }
}
