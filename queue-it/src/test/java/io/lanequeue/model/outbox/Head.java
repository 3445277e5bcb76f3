package io.lanequeue.model.outbox;

import io.lanequeue.schema.LeaseId;
import org.jspecify.annotations.Nullable;

/**
 * The head of a lane as it was last seen committed.
 *
 * @param place the event it names, which may be gone
 * @param lease the lease it carries
 * @param due when the lane may be claimed
 */
record Head(Place place, @Nullable LeaseId lease, Due due) {

    boolean isDue() {
        return due == Due.NOW;
    }

    enum Due {
        NOW,
        /** Within the longest back-off of a lane that was found empty. */
        SOON,
        LATER,
        NEVER
    }
}
