package io.lanequeue.soak;

import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** How a worker goes about what it has claimed, and the orders it follows. */
final class WorkerHabits {

    /** Longer than any lease or claim lasts. */
    private static final long PAUSE_MILLIS = Plan.LEASE.plus(Plan.STALE).toMillis();

    private static final int MAX_WORK_MILLIS = 20;
    private static final long IDLE_MILLIS = 10;

    private final String name;
    private final Orders orders;
    private final Random random;
    private final CountDownLatch stop;
    private int deaths;

    WorkerHabits(String name, Orders orders, Random random, CountDownLatch stop) {
        this.name = name;
        this.orders = orders;
        this.random = random;
        this.stop = stop;
    }

    /** What becomes of a worker that has claims in hand. */
    enum Fate {
        REPORTS,
        DIES
    }

    /** The worker's name; another one after each death. */
    String name() {
        return name + " life " + (1 + deaths);
    }

    boolean isStopped() {
        return stop.getCount() == 0;
    }

    /** For as long as the work takes; much longer if the order is to pause. */
    Fate work() throws InterruptedException {
        Order order = orders.take();
        if (order == Order.DIE) {
            deaths++;
            return Fate.DIES;
        }
        long millis = order == Order.PAUSE ? PAUSE_MILLIS : random.nextInt(MAX_WORK_MILLIS);
        stop.await(millis, TimeUnit.MILLISECONDS);
        return Fate.REPORTS;
    }

    /** Waits a moment: nothing could be claimed. */
    void idle() throws InterruptedException {
        stop.await(IDLE_MILLIS, TimeUnit.MILLISECONDS);
    }
}
