package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.min;
import static org.jooq.impl.DSL.select;

import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.RepoId;
import io.lanequeue.schema.jooq.Routines;
import io.lanequeue.schema.jooq.tables.EffectQueue;
import io.lanequeue.schema.jooq.tables.EffectQueueRepoHeads;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Records;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** The statements of {@link EffectAudit}. */
final class AuditStatements {

    private static final EffectQueue E = EFFECT_QUEUE;
    private static final EffectQueueRepoHeads H = EFFECT_QUEUE_REPO_HEADS;

    private AuditStatements() {}

    static List<RepoDisagreement> disagreements(DSLContext dsl, int limit) {
        var enqueued = E.STATE.eq(inline(EffectState.ENQUEUED, E.STATE));
        var claimed = E.STATE.eq(inline(EffectState.CLAIMED, E.STATE));
        var truth = select(
                        E.REPO_ID,
                        min(E.ID).filterWhere(enqueued).as("oldest"),
                        count().filterWhere(claimed).as("claimed"))
                .from(E)
                .where(enqueued.or(claimed))
                .groupBy(E.REPO_ID)
                .asTable("truth");
        Field<EffectId> oldest = truth.field("oldest", E.ID.getDataType());
        Field<Integer> claims = truth.field("claimed", SQLDataType.INTEGER);
        Field<RepoId> repo = coalesce(H.REPO_ID, truth.field(E.REPO_ID));
        return dsl.select(repo, H.HEAD_ID, oldest, H.IN_FLIGHT, coalesce(claims, inline(0)))
                .from(truth)
                .fullJoin(H)
                .on(H.REPO_ID.eq(truth.field(E.REPO_ID)))
                .where(H.IN_FLIGHT.isDistinctFrom(claims))
                .orderBy(repo)
                .limit(limit)
                .fetch(Records.mapping((name, headId, first, inFlight, claimedNow) -> new RepoDisagreement(
                        name,
                        kind(inFlight, first, claimedNow),
                        headId,
                        first,
                        inFlight == null ? 0 : inFlight,
                        claimedNow)));
    }

    private static RepoDisagreement.Kind kind(@Nullable Integer inFlight, @Nullable EffectId oldest, int claimed) {
        if (inFlight == null) {
            return RepoDisagreement.Kind.REPO_WITHOUT_HEAD;
        }
        boolean empty = oldest == null && claimed == 0 && inFlight == 0;
        return empty ? RepoDisagreement.Kind.EMPTY_REPO : RepoDisagreement.Kind.WRONG_IN_FLIGHT;
    }

    static RepoRepair repair(DSLContext dsl) {
        var repaired = Routines.effectQueueRepairHeads();
        return dsl.select(repaired.REPAIRED_REPOS, repaired.BUSY_REPOS)
                .from(repaired)
                .fetchSingle(Records.mapping(RepoRepair::new));
    }
}
