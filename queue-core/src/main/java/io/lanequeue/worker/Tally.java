package io.lanequeue.worker;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** What has come to an end since the worker was told to stop, and what has not. Written by the coordinator. */
final class Tally {

    private final AtomicIntegerArray endings = new AtomicIntegerArray(Ending.values().length);
    private volatile int left;

    void count(Ending ending) {
        endings.incrementAndGet(ending.ordinal());
    }

    void left(int inHand) {
        left = inHand;
    }

    StopReport report() {
        return new StopReport(
                of(Ending.DELIVERED),
                of(Ending.FAILED) + of(Ending.GIVEN_UP),
                of(Ending.RELEASED),
                of(Ending.LOST),
                left);
    }

    private int of(Ending ending) {
        return endings.get(ending.ordinal());
    }
}
