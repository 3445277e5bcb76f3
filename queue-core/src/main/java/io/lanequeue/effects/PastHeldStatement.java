package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.jooq.tables.EffectQueue;
import io.lanequeue.schema.jooq.tables.EffectQueueRepoHeads;
import java.time.Instant;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.RowId;
import org.jooq.SortField;
import org.jooq.impl.SQLDataType;

/**
 * The statement of a claim for which others hold every effect that {@link DispatchStatement} looks at: an open
 * transaction that enqueues many keys anew, say. It walks past as many as they hold, and so may cost as much; of each
 * repository it takes the oldest one that is free.
 */
final class PastHeldStatement {

    private static final EffectQueueRepoHeads H = EFFECT_QUEUE_REPO_HEADS;
    private static final EffectQueue WAITING = EFFECT_QUEUE.as("waiting");
    private static final Field<RowId> PLACE = field(name("place"), SQLDataType.ROWID);

    private PastHeldStatement() {}

    static ResultQuery<? extends Record> ofRepo(DSLContext dsl, Field<Instant> now, RepoClaimRequest request) {
        Condition repo = H.REPO_ID.eq(request.repoId());
        return query(
                dsl,
                now,
                repo,
                H.REPO_ID.asc(),
                request.claimant(),
                request.limit(),
                request.limit(),
                DispatchRequest.NO_CAP);
    }

    static ResultQuery<? extends Record> acrossRepos(DSLContext dsl, Field<Instant> now, DispatchRequest request) {
        return query(
                dsl,
                now,
                DispatchStatement.notExcluded(request),
                H.HEAD_ID.asc().nullsFirst(),
                request.claimant(),
                request.limit(),
                1,
                request.cap());
    }

    private static ResultQuery<? extends Record> query(
            DSLContext dsl,
            Field<Instant> now,
            Condition repos,
            SortField<?> order,
            String claimant,
            int limit,
            int limitOfRepo,
            int cap) {
        // Locked where they are found, so that the limit counts what is free. Neither effects nor heads are waited for,
        // so their order does not matter.
        var free = lateral(select(WAITING.rowid().as(PLACE))
                .from(WAITING)
                .where(WAITING.REPO_ID.between(H.REPO_ID, H.REPO_ID))
                .and(WAITING.STATE.eq(inline(EffectState.ENQUEUED, WAITING.STATE)))
                .orderBy(WAITING.REPO_ID, WAITING.ID)
                .limit(limitOfRepo)
                .forUpdate()
                .skipLocked()
                .asTable("free"));
        var chosen = name("chosen")
                .asMaterialized(select(free.field(PLACE))
                        .from(H)
                        .crossJoin(free)
                        .where(repos)
                        .and(H.IN_FLIGHT.lt(val(cap)))
                        .orderBy(order)
                        .limit(limit)
                        .forNoKeyUpdate()
                        .of(H)
                        .skipLocked());
        var claimed = name("claimed")
                .as(DispatchStatement.claim(select(chosen.field(PLACE)).from(chosen), now, claimant));
        return dsl.with(chosen)
                .with(claimed)
                .select(claimed.fields())
                .from(claimed)
                .orderBy(claimed.field(EFFECT_QUEUE.ID));
    }
}
