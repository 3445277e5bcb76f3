package io.lanequeue.outbox;

import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import java.time.Instant;
import org.jooq.JSONB;

/**
 * An event as it stands in the outbox.
 *
 * @param id given at the append, never reused
 * @param targetUserId the lane
 * @param pts the position within the lane; ties are ordered by {@code id}
 * @param eventType the kind of event
 * @param payload JSON, as PostgreSQL normalised it
 * @param createdAt when the appending transaction began, by the database's clock
 */
public record Event(
        EventId id, TargetUserId targetUserId, int pts, String eventType, JSONB payload, Instant createdAt) {}
