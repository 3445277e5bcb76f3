package io.lanequeue.effects;

import static io.lanequeue.internal.PgSql.statementTimestamp;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.least;
import static org.jooq.impl.DSL.min;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.trueCondition;

import io.lanequeue.internal.PgSql;
import io.lanequeue.internal.Spans;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.jooq.tables.EffectQueue;
import io.lanequeue.schema.jooq.tables.EffectQueueRepoHeads;
import java.math.BigDecimal;
import java.time.Instant;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Records;

/** The statement of {@link EffectOperator#totals}. */
final class TotalsStatement {

    private static final EffectQueue E = EFFECT_QUEUE;
    private static final EffectQueueRepoHeads H = EFFECT_QUEUE_REPO_HEADS;

    private TotalsStatement() {}

    /** Each state's conditions are those of the index that is read from its beginning. */
    static EffectTotals totals(DSLContext dsl, int bound) {
        Field<Instant> now = statementTimestamp();
        var oldest = RepoStatements.oldestOfRepo();
        Field<Instant> firstDue = field(select(E.SCHEDULED_AT)
                .from(E)
                .where(E.STATE.eq(inline(EffectState.SCHEDULED, E.STATE)))
                .and(E.SCHEDULED_AT.isNotNull())
                .and(E.SCHEDULED_AT.le(now))
                .orderBy(E.SCHEDULED_AT)
                .limit(inline(1)));
        Field<Instant> firstClaimed = field(select(E.CLAIMED_AT)
                .from(E)
                .where(E.STATE.eq(inline(EffectState.CLAIMED, E.STATE)))
                .and(E.CLAIMED_AT.isNotNull())
                .orderBy(E.CLAIMED_AT)
                .limit(inline(1)));
        var failed = selectOne()
                .from(E)
                .where(E.STATE.eq(inline(EffectState.FAILED, E.STATE)))
                .and(E.FAILED_AT.isNotNull())
                .orderBy(E.FAILED_AT)
                .limit(PgSql.limit(bound))
                .asTable("counted");
        return dsl.select(
                        count(oldest.field(E.ID)),
                        coalesce(sum(H.IN_FLIGHT), inline(BigDecimal.ZERO)),
                        field(select(count()).from(failed)),
                        least(min(oldest.field(E.ENQUEUED_AT)), firstDue),
                        firstClaimed,
                        now)
                .from(H)
                .leftJoin(oldest)
                .on(trueCondition())
                .fetchSingle(
                        Records.mapping((waiting, inFlight, failures, waitsSince, silentSince, at) -> new EffectTotals(
                                waiting,
                                inFlight.longValue(),
                                failures,
                                Spans.since(waitsSince, at),
                                Spans.since(silentSince, at))));
    }
}
