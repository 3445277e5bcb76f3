package io.lanequeue.outbox;

import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A lane as operators see it.
 *
 * @param lane the lane
 * @param state what it waits for
 * @param headId its head: the event to name in {@link OutboxOperator#retryBlocked} and
 *     {@link OutboxOperator#deleteHead}
 * @param headPts the position of the head
 * @param headAge how long ago the head was appended, by the database's clock; null where its event is gone
 * @param availableAt when the lane may be claimed; {@link Instant#MAX} for a blocked one
 * @param attempts how often the head was handed out
 * @param lastError why the head failed the last time, or null
 * @param leasedBy the worker that holds the lease, or held it last if its time is over; null without one
 */
public record LaneStatus(
        TargetUserId lane,
        LaneState state,
        EventId headId,
        int headPts,
        @Nullable Duration headAge,
        Instant availableAt,
        int attempts,
        @Nullable String lastError,
        @Nullable String leasedBy) {}
