package io.lanequeue.benchmark;

import io.lanequeue.benchmark.baseline.Payload;
import io.lanequeue.command.CommandFailedException;
import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LeasedLane;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;

/**
 * Checks that each lane's events are handed out in their order, by the numbers in their payloads, each once: a drain
 * out of order would be measured for nothing.
 */
final class DeliveryOrder implements Consumer<Claim> {

    private final AtomicIntegerArray next;

    DeliveryOrder(int lanes) {
        next = new AtomicIntegerArray(lanes);
    }

    /** Each lane begins anew. */
    void restart() {
        for (int lane = 0; lane < next.length(); lane++) {
            next.set(lane, 0);
        }
    }

    @Override
    public void accept(Claim claim) {
        for (LeasedLane lane : claim.lanes()) {
            int number = Math.toIntExact(lane.lease().lane().value());
            for (Event event : lane.events()) {
                long found = Payload.numberIn(event.payload().data());
                int expected = next.getAndIncrement(number);
                if (found != expected) {
                    throw new CommandFailedException(
                            "Lane " + number + " handed out event " + found + " instead of " + expected);
                }
            }
        }
    }
}
