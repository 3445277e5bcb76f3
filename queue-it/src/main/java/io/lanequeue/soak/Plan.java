package io.lanequeue.soak;

import java.time.Duration;
import java.util.Set;

/**
 * What a soak is to do.
 *
 * @param rate events and effects, each so many a second
 * @param total events and effects, at least so many of each
 * @param faults the kinds of faults that happen; each does at least once
 * @param betweenFaults how long it is from one fault to the next on average
 * @param seed of all that is random
 */
record Plan(int rate, long total, Set<FaultKind> faults, Duration betweenFaults, long seed) {

    static final int LANES = 5_000;
    static final int REPOSITORIES = 200;

    /** Most effects of a repository that may be in flight. */
    static final int CAP = 20;

    /** How long a lane is a worker's. Short, so that the lanes of a worker that dies are soon delivered by others. */
    static final Duration LEASE = Duration.ofSeconds(1);

    /** After this time the effects of a silent worker are taken from it. */
    static final Duration STALE = Duration.ofSeconds(1);

    Duration time() {
        return Duration.ofMillis(total * 1_000 / rate);
    }
}
