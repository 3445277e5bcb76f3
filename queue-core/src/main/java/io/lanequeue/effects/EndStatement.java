package io.lanequeue.effects;

import static io.lanequeue.internal.PgSql.looksUp;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.nullif;
import static org.jooq.impl.DSL.select;

import io.lanequeue.internal.ArrayRows;
import io.lanequeue.schema.ClaimId;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.RepoId;
import io.lanequeue.schema.jooq.tables.EffectQueue;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record1;
import org.jooq.ResultQuery;
import org.jspecify.annotations.Nullable;

/** The statement of {@link EffectConsumer#complete} and {@link EffectConsumer#fail}. */
final class EndStatement {

    private static final EffectQueue E = EFFECT_QUEUE;
    private static final EffectQueue HELD = E.as("held");

    private EndStatement() {}

    static List<EffectReport> end(
            DSLContext dsl,
            Field<Instant> now,
            EffectState state,
            List<EffectFailure> failures,
            @Nullable RepoId onlyOf) {
        if (failures.isEmpty()) {
            return List.of();
        }
        Set<EffectId> ended = query(dsl, now, state, failures, onlyOf).fetchSet(E.ID);
        return failures.stream()
                .map(EffectFailure::claim)
                .map(claim -> new EffectReport(
                        claim,
                        ended.contains(claim.effect()) ? EffectReport.Status.APPLIED : EffectReport.Status.CLAIM_LOST,
                        null))
                .toList();
    }

    /** The effects that were held under the given claims. */
    static ResultQuery<Record1<EffectId>> query(
            DSLContext dsl,
            Field<Instant> now,
            EffectState state,
            List<EffectFailure> failures,
            @Nullable RepoId onlyOf) {
        var given = new ArrayRows("given");
        Field<EffectId> givenEffect = given.column(
                "effect",
                E.ID.getDataType(),
                failures.stream().map(failure -> failure.claim().effect()).toList());
        Field<ClaimId> givenClaim = given.column(
                "claim",
                E.CLAIM_ID.getDataType(),
                failures.stream().map(failure -> failure.claim().id()).toList());
        Field<String> givenError = given.column(
                "error",
                E.LAST_ERROR.getDataType(),
                failures.stream().map(EffectFailure::error).toList());
        var sorted = select(givenEffect, givenClaim, givenError)
                .from(given.table())
                .orderBy(givenEffect)
                .asTable("sorted");
        var lock = lateral(select(HELD.ID)
                .from(HELD)
                .where(HELD.ID.eq(sorted.field(givenEffect)))
                .and(HELD.CLAIM_ID.eq(sorted.field(givenClaim)))
                // An equation that fits no partial index: the planner, believing the table empty, might walk
                // one.
                .and(HELD.STATE.isNotDistinctFrom(inline(EffectState.CLAIMED, E.STATE)))
                .and(onlyOf == null ? noCondition() : HELD.REPO_ID.eq(onlyOf))
                .limit(inline(1))
                .forUpdate()
                .asTable("effect_held"));
        var fenced = name("fenced")
                .asMaterialized(select(lock.field(HELD.ID), sorted.field(givenError))
                        .from(sorted)
                        .crossJoin(lock));
        return dsl.with(fenced)
                .update(E)
                .set(E.STATE, inline(state, E.STATE))
                .setNull(E.CLAIM_ID)
                .set(state == EffectState.DONE ? E.DONE_AT : E.FAILED_AT, now)
                .set(E.LAST_ERROR, coalesce(nullif(fenced.field(givenError), inline("")), E.LAST_ERROR))
                .from(fenced)
                .where(looksUp(E.ID, fenced, fenced.field(HELD.ID)))
                .returningResult(E.ID);
    }
}
