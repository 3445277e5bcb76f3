package io.lanequeue.outbox;

import static io.lanequeue.internal.PgSql.infinity;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.when;

import io.lanequeue.schema.jooq.tables.DispatchOutboxUserHeads;
import java.time.Instant;
import org.jooq.Condition;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** What a lane with a backlog is waiting for. */
public enum LaneState {
    /** For a worker: the next claim may take it. A lane whose lease ran out is ready too. */
    READY,

    /** For the delay after a failed attempt to pass. */
    BACKING_OFF,

    /** For the worker that holds its lease. */
    LEASED,

    /** For an operator: its head failed for good. */
    BLOCKED;

    /**
     * The condition under which a head is in this state. Each is a range of {@code available_at}, for its index; the
     * equation of the blocked ones is the predicate of theirs.
     */
    Condition of(DispatchOutboxUserHeads head, Field<Instant> now) {
        Condition later = head.AVAILABLE_AT.gt(now).and(head.AVAILABLE_AT.lt(infinity()));
        return switch (this) {
            case READY -> head.AVAILABLE_AT.le(now);
            case BACKING_OFF -> later.and(head.LEASE_ID.isNull());
            case LEASED -> later.and(head.LEASE_ID.isNotNull());
            case BLOCKED -> head.AVAILABLE_AT.eq(infinity());
        };
    }

    /** The state of a head; null where there is no head. */
    static Field<LaneState> stateOf(DispatchOutboxUserHeads head, Field<Instant> now) {
        return when(READY.of(head, now), inline(READY.name()))
                .when(BLOCKED.of(head, now), inline(BLOCKED.name()))
                .when(LEASED.of(head, now), inline(LEASED.name()))
                .when(BACKING_OFF.of(head, now), inline(BACKING_OFF.name()))
                .as("state")
                .convertFrom(LaneState::named);
    }

    private static @Nullable LaneState named(@Nullable String name) {
        return name == null ? null : valueOf(name);
    }
}
