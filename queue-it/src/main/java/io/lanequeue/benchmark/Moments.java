package io.lanequeue.benchmark;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Moments at a fixed distance from each other. They do not wait for what is done at them: the load is an open loop. */
final class Moments {

    private final long interval;
    private long next = System.nanoTime();

    private Moments(long interval) {
        this.interval = interval;
    }

    static Moments every(Duration interval) {
        return new Moments(interval.toNanos());
    }

    /** Waits for the next moment, if it is not past; returns it, as of {@link System#nanoTime()}. */
    long await() {
        long moment = next;
        for (long left = moment - System.nanoTime(); left > 0; left = moment - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        next += interval;
        return moment;
    }
}
