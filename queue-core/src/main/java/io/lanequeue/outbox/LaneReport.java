package io.lanequeue.outbox;

import io.lanequeue.schema.EventId;
import java.util.List;

/**
 * What the database did with one {@link LaneOutcome}.
 *
 * @param lease the lease of the outcome
 * @param status what became of the lane
 * @param deleted the delivered events that were deleted, in the order of the claim
 * @param missing the delivered events that were not: gone already, or being deleted by another transaction right now.
 *     Both lists are empty for a lost lease
 */
public record LaneReport(Lease lease, Status status, List<EventId> deleted, List<EventId> missing) {

    public LaneReport {
        deleted = List.copyOf(deleted);
        missing = List.copyOf(missing);
    }

    /** What became of the lane. */
    public enum Status {
        /** The delivered events are deleted, a failure is recorded, the lease has ended. */
        FINISHED,

        /**
         * The delivered events are deleted and the lease has ended, but the failure was not recorded: the failed event
         * is gone or being deleted, or an event that comes before it arrived meanwhile and is delivered first.
         */
        DISPLACED,

        /**
         * The lane has another lease by now, or none. Nothing was changed; another worker delivers these events again.
         */
        LEASE_LOST
    }
}
