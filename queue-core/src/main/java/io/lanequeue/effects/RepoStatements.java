package io.lanequeue.effects;

import static io.lanequeue.internal.PgSql.statementTimestamp;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.val;

import io.lanequeue.internal.PgSql;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.RepoId;
import io.lanequeue.schema.jooq.tables.EffectQueue;
import io.lanequeue.schema.jooq.tables.EffectQueueRepoHeads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record2;
import org.jooq.Records;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/** The statements of {@link EffectOperator}. */
final class RepoStatements {

    private static final EffectQueue E = EFFECT_QUEUE;
    private static final EffectQueueRepoHeads H = EFFECT_QUEUE_REPO_HEADS;

    private RepoStatements() {}

    static RepoCounts counts(DSLContext dsl, RepoId repo, int bound) {
        Field<Integer> inFlight = coalesce(field(select(H.IN_FLIGHT).from(H).where(H.REPO_ID.eq(repo))), inline(0));
        return dsl.select(
                        countOf(repo, EffectState.SCHEDULED, bound),
                        countOf(repo, EffectState.ENQUEUED, bound),
                        inFlight,
                        countOf(repo, EffectState.FAILED, bound))
                .fetchSingle(Records.mapping(RepoCounts::new));
    }

    private static Field<Integer> countOf(RepoId repo, EffectState state, int bound) {
        var counted = selectOne()
                .from(E)
                .where(E.REPO_ID.between(repo, repo))
                .and(E.STATE.eq(inline(state, E.STATE)))
                .orderBy(E.REPO_ID, E.ID)
                .limit(PgSql.limit(bound))
                .asTable("counted");
        return field(select(count()).from(counted));
    }

    static List<WaitingRepo> oldestWaiting(DSLContext dsl, int limit) {
        var oldest = oldestOfRepo();
        return dsl.select(H.REPO_ID, oldest.field(E.ID), oldest.field(E.ENQUEUED_AT), statementTimestamp(), H.IN_FLIGHT)
                .from(H)
                .crossJoin(oldest)
                .orderBy(oldest.field(E.ENQUEUED_AT), oldest.field(E.ID))
                .limit(limit)
                .fetch(Records.mapping((repo, id, enqueuedAt, now, inFlight) ->
                        new WaitingRepo(repo, id, Duration.between(enqueuedAt, now), inFlight)));
    }

    /** The first effect of a head's repository that waits to be claimed. */
    static Table<Record2<EffectId, Instant>> oldestOfRepo() {
        // By a range of one repository, for the planner's sake, as in DispatchStatement.lowestWaiting.
        return lateral(select(E.ID, E.ENQUEUED_AT)
                .from(E)
                .where(E.REPO_ID.between(H.REPO_ID, H.REPO_ID))
                .and(E.STATE.eq(inline(EffectState.ENQUEUED, E.STATE)))
                .orderBy(E.REPO_ID, E.ID)
                .limit(inline(1))
                .asTable("oldest"));
    }

    static List<FailedEffect> failed(DSLContext dsl, FailedQuery query) {
        EffectId after = query.after();
        Condition page = after == null ? noCondition() : E.ID.gt(after);
        return dsl.select(E.ID, E.REPO_ID, E.PAYLOAD, E.ATTEMPTS, E.LAST_ERROR, E.FAILED_AT)
                .from(E)
                .where(E.REPO_ID.between(query.repoId(), query.repoId()))
                .and(E.STATE.eq(inline(EffectState.FAILED, E.STATE)))
                .and(page)
                .orderBy(E.REPO_ID, E.ID)
                .limit(PgSql.limit(query.limit()))
                .fetch(Records.mapping(FailedEffect::new));
    }

    static Redrive redrive(DSLContext dsl, Collection<EffectId> effects) {
        return redriveOf(PutBackStatement.redrive(
                dsl, PgSql.array(effects.stream().distinct().sorted().toList(), E.ID.getDataType())));
    }

    static Redrive redrive(DSLContext dsl, RepoId repo, int limit) {
        return redriveOf(PutBackStatement.redrive(
                dsl,
                array(select(E.ID)
                        .from(E)
                        .where(E.REPO_ID.between(repo, repo))
                        .and(E.STATE.eq(inline(EffectState.FAILED, E.STATE)))
                        .orderBy(E.REPO_ID, E.ID)
                        .limit(PgSql.limit(limit)))));
    }

    private static Redrive redriveOf(Map<EffectId, @Nullable EffectId> putBack) {
        List<EffectId> enqueued = new ArrayList<>();
        List<EffectId> superseded = new ArrayList<>();
        putBack.keySet().stream()
                .sorted()
                .forEach(effect -> (putBack.get(effect) == null ? enqueued : superseded).add(effect));
        return new Redrive(enqueued, superseded);
    }

    static List<EffectId> cancel(DSLContext dsl, Collection<EffectId> effects, String reason) {
        EffectQueue waiting = E.as("waiting");
        // States that fit no partial index: the planner, believing the table empty, might walk one.
        Condition waits = waiting.STATE
                .isNotDistinctFrom(inline(EffectState.SCHEDULED, E.STATE))
                .or(waiting.STATE.isNotDistinctFrom(inline(EffectState.ENQUEUED, E.STATE)));
        return dsl
                .update(E)
                .set(E.STATE, inline(EffectState.FAILED, E.STATE))
                .set(E.FAILED_AT, statementTimestamp())
                .set(E.LAST_ERROR, val(reason))
                .where(E.ID.eq(any(array(select(waiting.ID)
                        .from(waiting)
                        .where(waiting.ID.eq(any(PgSql.array(List.copyOf(effects), E.ID.getDataType()))))
                        .and(waits)
                        .orderBy(waiting.ID)
                        .forUpdate()
                        .skipLocked()))))
                .returningResult(E.ID)
                .fetchSet(E.ID)
                .stream()
                .sorted()
                .toList();
    }
}
