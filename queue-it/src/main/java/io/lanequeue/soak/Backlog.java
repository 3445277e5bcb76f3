package io.lanequeue.soak;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.jooq.Records.mapping;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.selectCount;

import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.EventId;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;

/**
 * What is still to be done, at one moment.
 *
 * @param events events in the outbox
 * @param effects effects that are not done
 * @param workable heads, and effects that wait for their time or the operator: what somebody will find, now or later
 */
record Backlog(int events, int effects, int workable) {

    static Backlog of(DSLContext dsl) {
        return dsl.select(
                        field(selectCount().from(DISPATCH_OUTBOX)),
                        field(selectCount().from(EFFECT_QUEUE).where(isNotDone())),
                        field(selectCount().from(DISPATCH_OUTBOX_USER_HEADS))
                                .plus(field(selectCount().from(EFFECT_QUEUE_REPO_HEADS)))
                                .plus(field(selectCount()
                                        .from(EFFECT_QUEUE)
                                        .where(EFFECT_QUEUE.STATE.in(EffectState.SCHEDULED, EffectState.FAILED)))))
                .fetchSingle(mapping(Backlog::new));
    }

    /** Whether nobody will find anything to do. What is there all the same is stranded. */
    boolean isDrained() {
        return workable == 0;
    }

    static List<EventId> eventsLeft(DSLContext dsl) {
        return dsl.select(DISPATCH_OUTBOX.ID).from(DISPATCH_OUTBOX).fetch(DISPATCH_OUTBOX.ID);
    }

    static List<EffectId> effectsLeft(DSLContext dsl) {
        return dsl.select(EFFECT_QUEUE.ID).from(EFFECT_QUEUE).where(isNotDone()).fetch(EFFECT_QUEUE.ID);
    }

    private static Condition isNotDone() {
        return EFFECT_QUEUE.STATE.ne(EffectState.DONE);
    }
}
