package io.lanequeue.soak;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Where faults meet the workers of a queue: an order is taken by one that has claims in hand, or not at all. */
final class Orders {

    private static final long PATIENCE_SECONDS = 5;

    private final SynchronousQueue<Order> orders = new SynchronousQueue<>();

    /** Gives an order; returns whether a worker took it. */
    boolean give(Order order) throws InterruptedException {
        return orders.offer(order, PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** For a worker with claims in hand: its order, or null. */
    @Nullable
    Order take() {
        return orders.poll();
    }
}
