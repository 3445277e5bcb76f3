package io.lanequeue.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;

import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.testing.Session;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jooq.DSLContext;
import org.jooq.JSONB;

/** Changes of the tables that no call of the library makes: the passing of time, and ways round the triggers. */
final class ByHand {

    private ByHand() {}

    static Instant clock(DSLContext dsl) {
        return dsl.fetchSingle("select clock_timestamp()")
                .get(0, OffsetDateTime.class)
                .toInstant();
    }

    /** As if the moment at which the lane may be claimed lay that long ago. */
    static void availableSince(DSLContext dsl, long user, Duration ago) {
        dsl.update(DISPATCH_OUTBOX_USER_HEADS)
                .set(DISPATCH_OUTBOX_USER_HEADS.AVAILABLE_AT, clock(dsl).minus(ago))
                .where(DISPATCH_OUTBOX_USER_HEADS.TARGET_USER_ID.eq(new TargetUserId(user)))
                .execute();
    }

    /** As if the time of the lane's lease were over. */
    static void expireLease(DSLContext dsl, long user) {
        availableSince(dsl, user, Duration.ofSeconds(1));
    }

    /** From now on this session's changes fire no trigger, as those of logical replication. */
    static Session roundTheTriggers(Session session) {
        session.dsl().execute("set session_replication_role = replica");
        return session;
    }

    /** An append as any SQL client might do it. */
    static EventId insertBySql(DSLContext dsl, long user, int pts) {
        return dsl.insertInto(
                        DISPATCH_OUTBOX,
                        DISPATCH_OUTBOX.TARGET_USER_ID,
                        DISPATCH_OUTBOX.PTS,
                        DISPATCH_OUTBOX.EVENT_TYPE,
                        DISPATCH_OUTBOX.PAYLOAD)
                .values(new TargetUserId(user), pts, "message", JSONB.valueOf("{}"))
                .returningResult(DISPATCH_OUTBOX.ID)
                .fetchSingle()
                .value1();
    }
}
