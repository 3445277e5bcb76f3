package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;

import io.lanequeue.testing.CallerTransactionContract;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.DSLContext;

class EffectCallerTransactionTest extends CallerTransactionContract {

    static Stream<EffectOperation> calls() {
        return Stream.of(EffectOperation.values());
    }

    @Override
    protected List<?> contents(DSLContext context) {
        return Stream.of(
                        context.selectFrom(EFFECT_QUEUE)
                                .orderBy(EFFECT_QUEUE.ID)
                                .fetch(),
                        context.selectFrom(EFFECT_QUEUE_REPO_HEADS)
                                .orderBy(EFFECT_QUEUE_REPO_HEADS.REPO_ID)
                                .fetch())
                .toList();
    }
}
