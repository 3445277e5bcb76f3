package io.lanequeue.worker;

/** The worker's time: for how long it waits, and nothing else. When something is due, the database's clock says. */
interface Timing {

    /** Nanoseconds since some moment, never going back. */
    long nanos();

    /** Waits until the moment, or until it is woken; a wake-up that came before the call counts. */
    void awaitUntil(long nanos) throws InterruptedException;

    /** Wakes whoever waits, from any thread. */
    void wake();
}
