package io.lanequeue.outbox;

import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.LeaseId;
import io.lanequeue.schema.TargetUserId;
import java.time.Duration;

/**
 * One worker's right to deliver the next events of one lane until a moment, and the fence that every later call
 * carries: once the lane has another lease, or none, calls with this one change nothing.
 *
 * @param lane the lane
 * @param id the fence
 */
public record Lease(TargetUserId lane, LeaseId id) {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(30);

    static void checkTime(Duration time) {
        Inputs.duration("lease time", time, SHORTEST, LONGEST);
    }
}
