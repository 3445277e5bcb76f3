package io.lanequeue.outbox;

import static io.lanequeue.internal.PgSql.statementTimestamp;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;

import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.schema.jooq.Routines;
import io.lanequeue.schema.jooq.tables.DispatchOutbox;
import io.lanequeue.schema.jooq.tables.DispatchOutboxUserHeads;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Records;
import org.jspecify.annotations.Nullable;

/** The statements of {@link OutboxAudit}. */
final class AuditStatements {

    private static final DispatchOutboxUserHeads H = DISPATCH_OUTBOX_USER_HEADS;
    private static final DispatchOutbox E = DISPATCH_OUTBOX;
    private static final DispatchOutbox HEAD_EVENT = E.as("head_event");

    private AuditStatements() {}

    static List<Disagreement> disagreements(DSLContext dsl, int limit) {
        var first = select(E.TARGET_USER_ID, E.ID, E.PTS)
                .distinctOn(E.TARGET_USER_ID)
                .from(E)
                .orderBy(E.TARGET_USER_ID, E.PTS, E.ID)
                .asTable("first");
        Field<TargetUserId> lane = coalesce(H.TARGET_USER_ID, first.field(E.TARGET_USER_ID));
        // A scalar subquery: for EXISTS the planner may read the whole outbox again, and exists(Select) has another
        // signature in jOOQ 3.21, where these class files run too.
        Field<Boolean> headExists = field(field(select(HEAD_EVENT.ID)
                        .from(HEAD_EVENT)
                        .where(HEAD_EVENT.ID.eq(H.HEAD_ID))
                        .and(HEAD_EVENT.TARGET_USER_ID.eq(H.TARGET_USER_ID)))
                .isNotNull());
        return dsl.select(lane, H.HEAD_ID, first.field(E.ID), headExists, LaneState.stateOf(H, statementTimestamp()))
                .from(first)
                .fullJoin(H)
                .on(H.TARGET_USER_ID.eq(first.field(E.TARGET_USER_ID)))
                .where(row(H.HEAD_ID, H.HEAD_PTS).isDistinctFrom(row(first.field(E.ID), first.field(E.PTS))))
                .orderBy(lane)
                .limit(limit)
                .fetch(Records.mapping((user, headId, firstId, exists, state) ->
                        new Disagreement(user, kind(headId, firstId, exists), headId, firstId, state)));
    }

    private static Disagreement.Kind kind(
            @Nullable EventId headId, @Nullable EventId firstEventId, boolean headExists) {
        if (headId == null) {
            return Disagreement.Kind.LANE_WITHOUT_HEAD;
        }
        if (firstEventId == null) {
            return Disagreement.Kind.EMPTY_LANE;
        }
        if (headId.equals(firstEventId)) {
            return Disagreement.Kind.WRONG_PTS;
        }
        return headExists ? Disagreement.Kind.HEAD_TOO_HIGH : Disagreement.Kind.DANGLING_HEAD;
    }

    static Repair repair(DSLContext dsl) {
        var repaired = Routines.dispatchOutboxRepairHeads();
        return dsl.select(repaired.REPAIRED_LANES, repaired.BUSY_LANES)
                .from(repaired)
                .fetchSingle(Records.mapping(Repair::new));
    }
}
