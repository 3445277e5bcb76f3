package io.lanequeue.outbox;

import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import org.jspecify.annotations.Nullable;

/**
 * A lane whose head is not its first event.
 *
 * @param lane the lane
 * @param kind how the two differ
 * @param headId the head; null where there is none
 * @param firstEventId the lane's first event; null where there is none
 * @param state the state of the lane; null where it has no head
 */
public record Disagreement(
        TargetUserId lane,
        Kind kind,
        @Nullable EventId headId,
        @Nullable EventId firstEventId,
        @Nullable LaneState state) {

    /** How a head and its lane differ. */
    public enum Kind {
        /**
         * There are events and no head: no claim finds them. Never left by the triggers; somebody went round them.
         * Repair.
         */
        LANE_WITHOUT_HEAD,

        /**
         * There is a head and no event. Usual for a moment after a delete, or after a transaction that claimed the lane
         * and completed it, or that emptied it by several deletes; the next claim of the lane settles it.
         */
        EMPTY_LANE,

        /** The head's event is gone and there are others. The next outcome of the lane puts it right. */
        DANGLING_HEAD,

        /**
         * The head comes behind the first event, which committed late. A claim hands out the first event all the same,
         * unless the lane is {@link LaneState#BLOCKED}: then it waits until the lane is retried or repaired.
         */
        HEAD_TOO_HIGH,

        /** The head names the first event and another position than it has. Repair. */
        WRONG_PTS
    }
}
