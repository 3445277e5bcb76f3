package io.lanequeue.outbox;

import static io.lanequeue.internal.PgSql.after;
import static io.lanequeue.internal.PgSql.interval;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;

import io.lanequeue.internal.ArrayRows;
import io.lanequeue.schema.LeaseId;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.schema.jooq.tables.DispatchOutboxUserHeads;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record3;
import org.jooq.ResultQuery;

/** The statement of {@link OutboxConsumer#extend}. */
final class ExtendStatement {

    private static final DispatchOutboxUserHeads H = DISPATCH_OUTBOX_USER_HEADS;
    private static final DispatchOutboxUserHeads LOCKED = H.as("locked");

    private ExtendStatement() {}

    static ResultQuery<Record3<TargetUserId, LeaseId, Instant>> query(
            DSLContext dsl, Field<Instant> now, Collection<Lease> leases, Duration time) {
        var given = new ArrayRows("given");
        Field<TargetUserId> givenLane = given.column(
                "lane",
                H.TARGET_USER_ID.getDataType(),
                leases.stream().map(Lease::lane).toList());
        Field<LeaseId> givenLease = given.column(
                "lease",
                H.LEASE_ID.getDataType(),
                leases.stream().map(Lease::id).toList());

        var sorted = select(givenLane, givenLease)
                .from(given.table())
                .orderBy(givenLane)
                .asTable("sorted");
        var lock = lateral(select(LOCKED.TARGET_USER_ID)
                .from(LOCKED)
                .where(LOCKED.TARGET_USER_ID.eq(sorted.field(givenLane)))
                .and(LOCKED.LEASE_ID.eq(sorted.field(givenLease)))
                .limit(inline(1))
                .forNoKeyUpdate()
                .asTable("head"));
        var fenced = name("fenced")
                .asMaterialized(
                        select(lock.field(LOCKED.TARGET_USER_ID)).from(sorted).crossJoin(lock));

        return dsl.with(fenced)
                .update(H)
                .set(H.AVAILABLE_AT, after(now, interval(time)))
                .where(H.TARGET_USER_ID.eq(
                        any(array(select(fenced.field(LOCKED.TARGET_USER_ID)).from(fenced)))))
                .returningResult(H.TARGET_USER_ID, H.LEASE_ID, H.AVAILABLE_AT);
    }
}
