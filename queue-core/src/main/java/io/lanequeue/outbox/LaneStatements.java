package io.lanequeue.outbox;

import static io.lanequeue.internal.PgSql.infinity;
import static io.lanequeue.internal.PgSql.moment;
import static io.lanequeue.internal.PgSql.statementTimestamp;
import static io.lanequeue.outbox.LaneState.BACKING_OFF;
import static io.lanequeue.outbox.LaneState.BLOCKED;
import static io.lanequeue.outbox.LaneState.LEASED;
import static io.lanequeue.outbox.LaneState.READY;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.min;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import io.lanequeue.internal.PgSql;
import io.lanequeue.internal.Spans;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.schema.jooq.tables.DispatchOutbox;
import io.lanequeue.schema.jooq.tables.DispatchOutboxUserHeads;
import java.time.Instant;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Records;
import org.jooq.Table;

/** The statements of {@link OutboxOperator} about lanes. */
final class LaneStatements {

    private static final DispatchOutboxUserHeads H = DISPATCH_OUTBOX_USER_HEADS;
    private static final DispatchOutbox E = DISPATCH_OUTBOX;

    private LaneStatements() {}

    static List<LaneStatus> list(DSLContext dsl, LaneQuery query) {
        Field<Instant> now = field(select(statementTimestamp())); // as in ClaimStatement
        Table<?> page = page(query, now);
        Field<TargetUserId> user = page.field(H.TARGET_USER_ID);
        Field<Instant> headCreatedAt = field(select(E.CREATED_AT)
                .from(E)
                .where(E.TARGET_USER_ID.eq(user))
                .and(E.PTS.eq(page.field(H.HEAD_PTS)))
                .and(E.ID.eq(page.field(H.HEAD_ID))));
        return dsl.select(
                        user,
                        page.field(H.HEAD_ID),
                        page.field(H.HEAD_PTS),
                        headCreatedAt,
                        now,
                        page.field(H.AVAILABLE_AT),
                        page.field(H.ATTEMPTS),
                        page.field(H.LAST_ERROR),
                        page.field(H.LEASED_BY))
                .from(page)
                .orderBy(page.field(H.AVAILABLE_AT), user)
                .limit(PgSql.limit(query.limit()))
                .fetch(Records.mapping(
                        (lane, headId, headPts, createdAt, at, availableAt, attempts, error, worker) -> new LaneStatus(
                                lane,
                                query.state(),
                                headId,
                                headPts,
                                Spans.since(createdAt, at),
                                availableAt,
                                attempts,
                                error,
                                worker)));
    }

    /** The heads of the page; where several at its end are available at the same moment, all of these. */
    private static Table<?> page(LaneQuery query, Field<Instant> now) {
        LaneStatus last = query.after();
        var heads = select(H.fields())
                .from(H)
                .where(query.state().of(H, now))
                .and(last == null ? noCondition() : follows(query.state(), last));
        // In the order of an index, column by column: for one column more than it has, PostgreSQL would sort all there
        // is
        // where it believes that there is little.
        return query.state() == BLOCKED
                ? heads.orderBy(H.TARGET_USER_ID)
                        .limit(PgSql.limit(query.limit()))
                        .asTable("page")
                : heads.orderBy(H.AVAILABLE_AT)
                        .limit(PgSql.limit(query.limit()))
                        .withTies()
                        .asTable("page");
    }

    private static Condition follows(LaneState state, LaneStatus last) {
        // Blocked lanes are all available at the same moment: the index of them has the users only.
        return state == BLOCKED
                ? H.TARGET_USER_ID.gt(last.lane())
                : row(H.AVAILABLE_AT, H.TARGET_USER_ID)
                        .gt(moment(last.availableAt()), val(last.lane(), H.TARGET_USER_ID));
    }

    static LaneTotals totals(DSLContext dsl) {
        Field<Instant> now = statementTimestamp();
        return dsl.select(
                        count().filterWhere(READY.of(H, now)),
                        count().filterWhere(BACKING_OFF.of(H, now)),
                        count().filterWhere(LEASED.of(H, now)),
                        count().filterWhere(BLOCKED.of(H, now)),
                        min(H.AVAILABLE_AT).filterWhere(READY.of(H, now)),
                        now)
                .from(H)
                .fetchSingle(Records.mapping((ready, backingOff, leased, blocked, oldest, at) ->
                        new LaneTotals(ready, backingOff, leased, blocked, Spans.since(oldest, at))));
    }

    static long depth(DSLContext dsl, TargetUserId lane) {
        return dsl.fetchCount(E, E.TARGET_USER_ID.between(lane, lane)); // as in DiscardStatement
    }

    static Query retryBlocked(DSLContext dsl, TargetUserId lane, EventId head) {
        return dsl.update(H)
                .set(H.AVAILABLE_AT, statementTimestamp())
                .set(H.ATTEMPTS, inline(0))
                .where(H.TARGET_USER_ID.eq(lane))
                .and(H.HEAD_ID.eq(head))
                .and(H.AVAILABLE_AT.eq(infinity()));
    }
}
