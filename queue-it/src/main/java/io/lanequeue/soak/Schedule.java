package io.lanequeue.soak;

import io.lanequeue.command.Stopwatch;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * So many things a second, whatever became of those before: what could not be done in time is still due. Thread-safe.
 */
final class Schedule {

    private static final long LOOK_MILLIS = 5;

    private final Stopwatch stopwatch = new Stopwatch();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final int rate;
    private long planned;
    private long taken;

    Schedule(int rate) {
        this.rate = rate;
    }

    /**
     * Takes what is due, up to a number. Waits until something is.
     *
     * @return how many; 0 when the schedule has ended and everything was taken
     */
    int take(int max) throws InterruptedException {
        int due = takeDue(max);
        while (due == 0 && !ended.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            due = takeDue(max);
        }
        return due == 0 ? takeDue(max) : due;
    }

    private synchronized int takeDue(int max) {
        int due = (int) Math.min(max, planned() - taken);
        taken += due;
        return due;
    }

    /** How many have become due. */
    synchronized long planned() {
        if (ended.getCount() > 0) {
            planned = stopwatch.elapsed().toMillis() * rate / 1_000;
        }
        return planned;
    }

    /** Nothing more becomes due. */
    synchronized void end() {
        planned();
        ended.countDown();
    }
}
