package io.lanequeue.outbox;

import static io.lanequeue.internal.PgSql.after;
import static io.lanequeue.internal.PgSql.interval;
import static io.lanequeue.schema.jooq.Sequences.DISPATCH_OUTBOX_LEASE_SEQ;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.min;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.trueCondition;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.when;

import io.lanequeue.internal.ArrayRows;
import io.lanequeue.internal.Fence;
import io.lanequeue.internal.PgSql;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.LeaseId;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.schema.jooq.Routines;
import io.lanequeue.schema.jooq.tables.DispatchOutbox;
import io.lanequeue.schema.jooq.tables.DispatchOutboxUserHeads;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record2;
import org.jooq.Records;
import org.jooq.RowId;
import org.jooq.Select;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** The statement of {@link OutboxConsumer#claim}. */
final class ClaimStatement {

    private static final DispatchOutboxUserHeads H = DISPATCH_OUTBOX_USER_HEADS;
    private static final DispatchOutboxUserHeads DUE = H.as("due");
    private static final DispatchOutboxUserHeads OLDEST = H.as("oldest");
    private static final DispatchOutbox EVENT = DISPATCH_OUTBOX.as("event");

    private static final Field<TargetUserId> LANE = field(name("claimed", "lane"), H.TARGET_USER_ID.getDataType());
    private static final Field<LeaseId> LEASE = field(name("claimed", "lease"), H.LEASE_ID.getDataType());
    private static final Field<Instant> LEASED_UNTIL =
            field(name("claimed", "leased_until"), H.AVAILABLE_AT.getDataType());
    private static final Field<EventId> HEAD_ID = field(name("claimed", "head_id"), H.HEAD_ID.getDataType());
    private static final Field<Integer> ATTEMPTS = field(name("claimed", "attempts"), H.ATTEMPTS.getDataType());
    private static final Field<String> LAST_ERROR = field(name("claimed", "last_error"), H.LAST_ERROR.getDataType());
    private static final Field<EventId> EVENT_ID = field(name("claimed", "event_id"), EVENT.ID.getDataType());
    private static final Field<Integer> PTS = field(name("claimed", "pts"), EVENT.PTS.getDataType());
    private static final Field<String> EVENT_TYPE =
            field(name("claimed", "event_type"), EVENT.EVENT_TYPE.getDataType());
    private static final Field<JSONB> PAYLOAD = field(name("claimed", "payload"), EVENT.PAYLOAD.getDataType());
    private static final Field<Instant> CREATED_AT =
            field(name("claimed", "created_at"), EVENT.CREATED_AT.getDataType());
    private static final Field<RowId> HEAD = field(name("head"), SQLDataType.ROWID);
    private static final Field<Instant> SINCE = field(name("since"), H.AVAILABLE_AT.getDataType());
    private static final Field<Integer> SETTLED = field(name("settled"), SQLDataType.INTEGER);

    private ClaimStatement() {}

    /** One row per claimed event; a lane that turned out empty has one row without an event. */
    static List<Row> fetch(DSLContext dsl, Field<Instant> now, ClaimRequest request) {
        var due = name("due_heads").asMaterialized(due(now, request));
        // By ctid: always a TID scan of the picked rows, whatever the planner believes, and never more than the limit,
        // because an array is computed once. UPDATE ... FROM and IN (SELECT ... LIMIT) promise neither.
        var leased = name("leased")
                .as(update(H)
                        .set(H.LEASE_ID, Fence.next(DISPATCH_OUTBOX_LEASE_SEQ).coerce(H.LEASE_ID))
                        .set(H.LEASED_BY, request.worker())
                        .set(H.ATTEMPTS, H.ATTEMPTS.plus(1))
                        .set(H.AVAILABLE_AT, after(now, interval(request.lease())))
                        .where(H.rowid().eq(any(array(select(due.field(HEAD)).from(due)))))
                        .returningResult(
                                H.TARGET_USER_ID, H.LEASE_ID, H.AVAILABLE_AT, H.HEAD_ID, H.ATTEMPTS, H.LAST_ERROR));
        Field<TargetUserId> leasedLane = leased.field(H.TARGET_USER_ID);

        // The first visible events of the lane, never "the event of head_id": the head may dangle or stand too high. A
        // range of one lane and not an equation: for that the planner takes every lane for an average one, and of a
        // lane of a million events it would sort all to find the first ones.
        var first = lateral(select(EVENT.ID, EVENT.PTS, EVENT.EVENT_TYPE, EVENT.PAYLOAD, EVENT.CREATED_AT)
                .from(EVENT)
                .where(EVENT.TARGET_USER_ID.between(leasedLane, leasedLane))
                .orderBy(EVENT.TARGET_USER_ID, EVENT.PTS, EVENT.ID)
                .limit(PgSql.limit(request.eventsPerLane()))
                .asTable("first"));
        var claimed = name("claimed")
                .asMaterialized(select(
                                leasedLane.as(LANE),
                                leased.field(H.LEASE_ID).as(LEASE),
                                leased.field(H.AVAILABLE_AT).as(LEASED_UNTIL),
                                leased.field(H.HEAD_ID).as(HEAD_ID),
                                leased.field(H.ATTEMPTS).as(ATTEMPTS),
                                leased.field(H.LAST_ERROR).as(LAST_ERROR),
                                first.field(EVENT.ID).as(EVENT_ID),
                                first.field(EVENT.PTS).as(PTS),
                                first.field(EVENT.EVENT_TYPE).as(EVENT_TYPE),
                                first.field(EVENT.PAYLOAD).as(PAYLOAD),
                                first.field(EVENT.CREATED_AT).as(CREATED_AT))
                        .from(leased)
                        .leftJoin(first)
                        .on(trueCondition()));

        // An uncorrelated scalar subquery runs once, and reading all of "claimed" for its arguments makes the update
        // complete first. In the same statement, so that a claim whose answer is lost leaves no empty lane leased.
        var settled = field(select(Routines.dispatchOutboxSettleHeads(
                        array(select(LANE.coerce(SQLDataType.BIGINT))
                                .from(claimed)
                                .where(EVENT_ID.isNull())),
                        array(select(LEASE.coerce(SQLDataType.BIGINT))
                                .from(claimed)
                                .where(EVENT_ID.isNull())))))
                .as(SETTLED);
        return dsl.with(due)
                .with(leased)
                .with(claimed)
                .select(
                        LANE,
                        LEASE,
                        LEASED_UNTIL,
                        EVENT_ID,
                        PTS,
                        EVENT_TYPE,
                        PAYLOAD,
                        CREATED_AT,
                        // They are counted for the head. Where the first event is another one it was never handed out.
                        when(EVENT_ID.eq(HEAD_ID), ATTEMPTS)
                                .otherwise(inline(1))
                                .as(ATTEMPTS),
                        when(EVENT_ID.eq(HEAD_ID), LAST_ERROR).as(LAST_ERROR),
                        settled,
                        field(select(min(due.field(SINCE))).from(due)))
                .from(claimed)
                .orderBy(LANE, PTS, EVENT_ID)
                .fetch(Records.mapping(Row::new));
    }

    /**
     * The place of each head that is to be leased, and a moment since when no other has been available that is free: of
     * all shards that of the head itself, of a set of shards that of the first one of its shard.
     */
    private static Select<Record2<RowId, Instant>> due(Field<Instant> statementTime, ClaimRequest request) {
        // Behind subqueries the planner cannot compare the times with its statistics, which are old when they matter:
        // believing that few lanes are due it would sort all that are.
        Field<Instant> now = field(select(statementTime));
        Field<Instant> since = field(select(PgSql.moment(request.availableSince())));
        if (request.shards().areAll()) {
            return select(DUE.rowid().as(HEAD), DUE.AVAILABLE_AT.as(SINCE))
                    .from(DUE)
                    .where(DUE.AVAILABLE_AT.between(since, now))
                    .orderBy(DUE.AVAILABLE_AT)
                    .limit(PgSql.limit(request.lanes()))
                    .forNoKeyUpdate()
                    .skipLocked();
        }
        // The shard whose oldest lane waits longest comes first, so that every shard has its turn. The rows are locked
        // as the outer limit asks for them, not before: no lane beyond the limit is hidden from others.
        var shards = new ArrayRows("shard");
        Field<Short> shard = shards.column(
                "number",
                H.LOGICAL_SHARD.getDataType(),
                request.shards().numbers().stream().map(Integer::shortValue).toList());
        var oldest = lateral(select(OLDEST.AVAILABLE_AT)
                .from(OLDEST)
                .where(dueIn(shard, OLDEST, since, now))
                .orderBy(OLDEST.LOGICAL_SHARD, OLDEST.AVAILABLE_AT)
                .limit(inline(1))
                .asTable("first_due"));
        var waiting = select(shard, oldest.field(OLDEST.AVAILABLE_AT).as(SINCE))
                .from(shards.table())
                .crossJoin(oldest)
                .orderBy(oldest.field(OLDEST.AVAILABLE_AT))
                .asTable("waiting");
        var picked = lateral(select(DUE.rowid().as(HEAD))
                .from(DUE)
                .where(dueIn(waiting.field(shard), DUE, since, now))
                .orderBy(DUE.LOGICAL_SHARD, DUE.AVAILABLE_AT)
                .limit(PgSql.limit(request.lanes()))
                .forNoKeyUpdate()
                .skipLocked()
                .asTable("picked"));
        return select(picked.field(HEAD), waiting.field(SINCE))
                .from(waiting)
                .crossJoin(picked)
                .limit(PgSql.limit(request.lanes()));
    }

    /**
     * A range of the index of shards, by both its columns at once. By an equation and a range the planner, believing
     * the table empty, may walk the index of all lanes instead, past the due ones of every other shard.
     */
    private static Condition dueIn(
            Field<Short> shard, DispatchOutboxUserHeads head, Field<Instant> since, Field<Instant> now) {
        return row(head.LOGICAL_SHARD, head.AVAILABLE_AT).between(row(shard, since), row(shard, now));
    }

    /** In the order in which they come: ascending by lane, and by position in the lane. */
    static Claim claimOf(List<Row> rows) {
        List<LeasedLane> lanes = new ArrayList<>();
        int next = 0;
        while (next < rows.size()) {
            Row first = rows.get(next);
            List<Event> events = new ArrayList<>();
            while (next < rows.size() && rows.get(next).lane().equals(first.lane())) {
                rows.get(next).addTo(events);
                next++;
            }
            if (!events.isEmpty()) {
                lanes.add(new LeasedLane(
                        new Lease(first.lane(), first.lease()),
                        first.leasedUntil(),
                        first.attempts(),
                        first.lastError(),
                        events));
            }
        }
        return rows.isEmpty()
                ? new Claim(lanes, 0, null)
                : new Claim(lanes, rows.get(0).settled(), rows.get(0).noneFreeBefore());
    }

    /**
     * An event of a leased lane, or a lane without events. Values by position: to look up fields costs more than to
     * read them.
     */
    record Row(
            TargetUserId lane,
            LeaseId lease,
            Instant leasedUntil,
            @Nullable EventId event,
            Integer pts,
            String eventType,
            JSONB payload,
            Instant createdAt,
            Integer attempts,
            @Nullable String lastError,
            Integer settled,
            Instant noneFreeBefore) {

        private void addTo(List<Event> events) {
            if (event != null) {
                events.add(new Event(event, lane, pts, eventType, payload, createdAt));
            }
        }
    }
}
