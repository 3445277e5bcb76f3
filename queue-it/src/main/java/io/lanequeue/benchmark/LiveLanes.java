package io.lanequeue.benchmark;

import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.LeasedLane;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** How many lanes of a drain still have events. */
final class LiveLanes {

    private final AtomicIntegerArray left;
    private final AtomicInteger live = new AtomicInteger();

    LiveLanes(int lanes) {
        left = new AtomicIntegerArray(lanes);
    }

    /** Every lane has so many events. */
    void refill(int perLane) {
        for (int lane = 0; lane < left.length(); lane++) {
            left.set(lane, perLane);
        }
        live.set(left.length());
    }

    void completed(Claim claim) {
        for (LeasedLane lane : claim.lanes()) {
            int number = Math.toIntExact(lane.lease().lane().value());
            if (left.addAndGet(number, -lane.events().size()) == 0) {
                live.decrementAndGet();
            }
        }
    }

    int count() {
        return live.get();
    }
}
