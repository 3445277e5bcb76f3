package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;

import io.lanequeue.internal.ArrayRows;
import io.lanequeue.schema.ClaimId;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.jooq.tables.EffectQueue;
import java.time.Instant;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record3;
import org.jooq.ResultQuery;

/** The statement of {@link EffectConsumer#extend}. */
final class ExtendStatement {

    private static final EffectQueue E = EFFECT_QUEUE;
    private static final EffectQueue HELD = E.as("held");

    private ExtendStatement() {}

    static ResultQuery<Record3<EffectId, ClaimId, Instant>> query(
            DSLContext dsl, Field<Instant> now, List<EffectClaim> claims) {
        var given = new ArrayRows("given");
        Field<EffectId> givenEffect = given.column(
                "effect",
                E.ID.getDataType(),
                claims.stream().map(EffectClaim::effect).toList());
        Field<ClaimId> givenClaim = given.column(
                "claim",
                E.CLAIM_ID.getDataType(),
                claims.stream().map(EffectClaim::id).toList());
        var sorted = select(givenEffect, givenClaim)
                .from(given.table())
                .orderBy(givenEffect)
                .asTable("sorted");
        var lock = lateral(select(HELD.ID)
                .from(HELD)
                .where(HELD.ID.eq(sorted.field(givenEffect)))
                .and(HELD.CLAIM_ID.eq(sorted.field(givenClaim)))
                .and(HELD.STATE.isNotDistinctFrom(inline(EffectState.CLAIMED, E.STATE))) // as in EndStatement
                .limit(inline(1))
                .forUpdate()
                .asTable("effect_held"));
        var fenced = name("fenced")
                .asMaterialized(select(lock.field(HELD.ID)).from(sorted).crossJoin(lock));
        return dsl.with(fenced)
                .update(E)
                .set(E.CLAIMED_AT, now)
                .where(E.ID.eq(any(array(select(fenced.field(HELD.ID)).from(fenced)))))
                .returningResult(E.ID, E.CLAIM_ID, E.CLAIMED_AT);
    }
}
