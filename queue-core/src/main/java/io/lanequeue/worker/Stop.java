package io.lanequeue.worker;

import io.lanequeue.internal.Inputs;
import java.time.Duration;

/**
 * An order to stop.
 *
 * @param interruption when handlers that still run are interrupted
 * @param end when the coordinator ends, whatever is left
 */
record Stop(long interruption, long end) {

    private static final Duration LONGEST = Duration.ofDays(30);

    /** Leaves a fifth of the time for what follows an interruption, half of that for whoever waits. */
    static Stop within(Duration deadline, long now) {
        Inputs.duration("deadline of a stop", deadline, Duration.ZERO, LONGEST);
        return new Stop(
                now + deadline.multipliedBy(8).dividedBy(10).toNanos(),
                now + deadline.multipliedBy(9).dividedBy(10).toNanos());
    }
}
