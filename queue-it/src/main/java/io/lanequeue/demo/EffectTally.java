package io.lanequeue.demo;

import java.util.concurrent.atomic.AtomicLong;

/** What this process has done so far in the second part. Thread-safe. */
final class EffectTally {

    private final AtomicLong enqueued = new AtomicLong();
    private final AtomicLong completed = new AtomicLong();
    private final AtomicLong completedOfMonorepo = new AtomicLong();
    private final AtomicLong retried = new AtomicLong();
    private final AtomicLong requeued = new AtomicLong();
    private final AtomicLong claimsLost = new AtomicLong();
    private final AtomicLong claimsLeftBehind = new AtomicLong();

    /** Effects that were enqueued. */
    AtomicLong enqueued() {
        return enqueued;
    }

    /** Effects that are done. */
    AtomicLong completed() {
        return completed;
    }

    /** Those of them that are of the big repository. */
    AtomicLong completedOfMonorepo() {
        return completedOfMonorepo;
    }

    /** Attempts that failed and were put off. */
    AtomicLong retried() {
        return retried;
    }

    /** Claims that upkeep took from a dispatcher that was silent for too long. */
    AtomicLong requeued() {
        return requeued;
    }

    /** Claims of which a dispatcher was told that they are lost. */
    AtomicLong claimsLost() {
        return claimsLost;
    }

    /** Claims that a dispatcher held when it died. */
    AtomicLong claimsLeftBehind() {
        return claimsLeftBehind;
    }
}
