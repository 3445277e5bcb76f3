package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.when;

import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.RepoId;
import io.lanequeue.schema.jooq.tables.EffectQueue;
import io.lanequeue.schema.jooq.tables.EffectQueueRepoHeads;
import java.time.Instant;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record2;
import org.jooq.ResultQuery;

/** The statement of {@link EffectConsumer#untilDue}. */
final class DueStatement {

    private static final EffectQueueRepoHeads H = EFFECT_QUEUE_REPO_HEADS;
    private static final EffectQueue SCHEDULED = EFFECT_QUEUE.as("scheduled");

    private DueStatement() {}

    /** When the next effect can be dispatched, which is now where one waits, and what time it is. */
    static ResultQuery<Record2<Instant, Instant>> query(DSLContext dsl, Field<Instant> now, DispatchRequest request) {
        Field<Instant> firstScheduled = field(select(SCHEDULED.SCHEDULED_AT)
                .from(SCHEDULED)
                .where(SCHEDULED.STATE.eq(inline(EffectState.SCHEDULED, EFFECT_QUEUE.STATE)))
                .and(SCHEDULED.SCHEDULED_AT.isNotNull()) // as the index says
                .orderBy(SCHEDULED.SCHEDULED_AT)
                .limit(inline(1)));
        // Not EXISTS, which knows no order: the first head by the index that a dispatch would take, if nobody held it.
        Field<RepoId> firstEligible = field(select(H.REPO_ID)
                .from(H)
                .crossJoin(DispatchStatement.lowestWaiting())
                .where(DispatchStatement.notExcluded(request))
                .and(H.IN_FLIGHT.lt(val(request.cap())))
                .orderBy(H.HEAD_ID.asc().nullsFirst())
                .limit(inline(1)));
        return dsl.select(when(firstEligible.isNotNull(), now).otherwise(firstScheduled), now);
    }
}
