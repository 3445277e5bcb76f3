package io.lanequeue.outbox;

import static io.lanequeue.internal.PgSql.looksUp;
import static io.lanequeue.internal.PgSql.statementTimestamp;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_DEAD_LETTERS;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.trueCondition;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.when;

import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.schema.jooq.tables.DispatchOutbox;
import io.lanequeue.schema.jooq.tables.DispatchOutboxDeadLetters;
import io.lanequeue.schema.jooq.tables.DispatchOutboxUserHeads;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record2;
import org.jooq.ResultQuery;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/** The statement of {@link OutboxOperator#deleteHead} and {@link OutboxOperator#deleteLane}. */
final class DiscardStatement {

    private static final DispatchOutboxUserHeads H = DISPATCH_OUTBOX_USER_HEADS;
    private static final Field<Boolean> LEASED = field(name("leased"), SQLDataType.BOOLEAN);
    private static final DispatchOutbox E = DISPATCH_OUTBOX;
    private static final DispatchOutboxDeadLetters D = DISPATCH_OUTBOX_DEAD_LETTERS;

    private static final Table<?> HEAD = table(name("head"));
    private static final Field<TargetUserId> HEAD_LANE =
            field(name("head", H.TARGET_USER_ID.getName()), H.TARGET_USER_ID.getDataType());
    private static final Field<Integer> HEAD_PTS = field(name("head", H.HEAD_PTS.getName()), H.HEAD_PTS.getDataType());

    private DiscardStatement() {}

    static Discard head(DSLContext dsl, TargetUserId lane, EventId head, String reason) {
        Condition isHead = looksUp(E.TARGET_USER_ID, HEAD, HEAD_LANE)
                .and(E.PTS.eq(HEAD_PTS))
                .and(E.ID.eq(head));
        return discardOf(query(dsl, lane, H.HEAD_ID.eq(head), isHead, reason));
    }

    static Discard lane(DSLContext dsl, TargetUserId lane, String reason) {
        // A range and not an equation: for that the planner takes every lane for an average one, and where it knows of
        // one lane only it reads the whole outbox.
        Condition isOfLane = E.TARGET_USER_ID.between(HEAD_LANE, HEAD_LANE);
        return discardOf(query(dsl, lane, trueCondition(), isOfLane, reason));
    }

    /** One row if the lane has a head that fits: whether it is leased, and how many events were discarded. */
    private static ResultQuery<Record2<Boolean, Integer>> query(
            DSLContext dsl, TargetUserId lane, Condition headFits, Condition eventFits, String reason) {
        Condition isHead = H.TARGET_USER_ID.eq(lane).and(headFits);
        Field<Boolean> isLeased = field(H.LEASE_ID.isNotNull().and(H.AVAILABLE_AT.gt(statementTimestamp())));
        // Looked at before it is locked: the lock would stay until the caller's transaction ends, and keep the worker,
        // for whose lease nothing is done here, from reporting.
        var seen =
                name("seen").asMaterialized(select(isLeased.as(LEASED)).from(H).where(isHead));
        var head = name("head")
                .asMaterialized(
                        select(H.TARGET_USER_ID, H.HEAD_ID, H.HEAD_PTS, H.ATTEMPTS, H.LAST_ERROR, isLeased.as(LEASED))
                                .from(H)
                                .crossJoin(seen)
                                .where(isHead)
                                .and(seen.field(LEASED).isFalse())
                                .forNoKeyUpdate()
                                .of(H));
        Field<EventId> headId = head.field(H.HEAD_ID);
        Field<Boolean> leased = head.field(LEASED);

        var discarded = name("discarded")
                .as(deleteFrom(E)
                        .using(head)
                        .where(eventFits)
                        .and(leased.isFalse())
                        .returningResult(E.ID, E.TARGET_USER_ID, E.PTS, E.EVENT_TYPE, E.PAYLOAD, E.CREATED_AT));
        // A lease whose time is over ends here: the delete trigger leaves leased heads alone.
        var ended = name("ended")
                .as(update(H)
                        .setNull(H.LEASE_ID)
                        .setNull(H.LEASED_BY)
                        .from(head)
                        .where(looksUp(H.TARGET_USER_ID, HEAD, HEAD_LANE))
                        // exists(Select) has another signature in jOOQ 3.21, where these class files run too.
                        .and(field(select(discarded.field(E.ID)).from(discarded).limit(inline(1)))
                                .isNotNull())
                        .and(H.LEASE_ID.isNotNull())
                        .returningResult(H.TARGET_USER_ID));
        Field<EventId> discardedId = discarded.field(E.ID);
        var kept = name("kept")
                .as(insertInto(
                                D,
                                D.ID,
                                D.TARGET_USER_ID,
                                D.PTS,
                                D.EVENT_TYPE,
                                D.PAYLOAD,
                                D.CREATED_AT,
                                D.ATTEMPTS,
                                D.LAST_ERROR,
                                D.REASON)
                        .select(select(
                                        discardedId,
                                        discarded.field(E.TARGET_USER_ID),
                                        discarded.field(E.PTS),
                                        discarded.field(E.EVENT_TYPE),
                                        discarded.field(E.PAYLOAD),
                                        discarded.field(E.CREATED_AT),
                                        when(discardedId.eq(headId), head.field(H.ATTEMPTS))
                                                .otherwise(inline(0)),
                                        when(discardedId.eq(headId), head.field(H.LAST_ERROR)),
                                        val(reason))
                                .from(discarded)
                                .crossJoin(head))
                        .returningResult(D.ID));
        return dsl.with(seen)
                .with(head)
                .with(discarded)
                .with(ended)
                .with(kept)
                .select(
                        coalesce(leased, seen.field(LEASED)),
                        field(select(count()).from(kept)))
                .from(seen)
                .leftJoin(head)
                .on(trueCondition());
    }

    private static Discard discardOf(ResultQuery<Record2<Boolean, Integer>> query) {
        return query.fetchOptional()
                .map(row -> {
                    if (row.value1()) {
                        return new Discard(Discard.Status.LEASED, 0);
                    }
                    boolean found = row.value2() > 0;
                    return new Discard(found ? Discard.Status.DISCARDED : Discard.Status.NOT_FOUND, row.value2());
                })
                .orElseGet(() -> new Discard(Discard.Status.NOT_FOUND, 0));
    }
}
