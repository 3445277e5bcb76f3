package io.lanequeue.demo;

import java.util.concurrent.atomic.AtomicLong;

/** What this process has done so far. Thread-safe. */
final class Tally {

    private final AtomicLong appended = new AtomicLong();
    private final AtomicLong delivered = new AtomicLong();
    private final AtomicLong leasesLost = new AtomicLong();
    private final AtomicLong leasesLeftBehind = new AtomicLong();

    /** Events that were appended. */
    AtomicLong appended() {
        return appended;
    }

    /** Events that were delivered and are out of the outbox. */
    AtomicLong delivered() {
        return delivered;
    }

    /** Leases of which a worker was told that they are lost. */
    AtomicLong leasesLost() {
        return leasesLost;
    }

    /** Leases that a worker held when it died. */
    AtomicLong leasesLeftBehind() {
        return leasesLeftBehind;
    }
}
