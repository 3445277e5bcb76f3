package io.lanequeue.faults;

import java.util.concurrent.Semaphore;

/** How far a load has got. Thread-safe. */
final class Progress {

    private final Semaphore handled = new Semaphore(0);
    private volatile boolean producing = true;

    boolean isProducing() {
        return producing;
    }

    void stopProducing() {
        producing = false;
    }

    void handled(int number) {
        handled.release(number);
    }

    /** Whether so many more have been handled; if so, they count no more. */
    boolean hasHandled(int number) {
        return handled.tryAcquire(number);
    }
}
