package io.lanequeue.soak;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.jooq.impl.DSL.count;

import io.lanequeue.effects.EffectAudit;
import io.lanequeue.effects.RepoDisagreement;
import io.lanequeue.outbox.Disagreement;
import io.lanequeue.outbox.OutboxAudit;
import io.lanequeue.schema.EffectState;
import java.util.function.BiConsumer;
import org.jooq.DSLContext;

/** What holds at every committed state: looked at again and again, under load, each time in one statement. */
public final class Invariants {

    private static final int MANY = 10_000;

    private final OutboxAudit outbox = new OutboxAudit();
    private final EffectAudit effects = new EffectAudit();
    private final int cap;
    private final BiConsumer<Loss, String> found;

    /**
     * @param cap most effects of a repository that may be in flight
     * @param found is told what does not hold, and where
     */
    public Invariants(int cap, BiConsumer<Loss, String> found) {
        this.cap = cap;
        this.found = found;
    }

    /** Looks at the heads of both queues and at the caps. */
    public void check(DSLContext dsl) {
        checkLaneHeads(dsl);
        checkRepoHeads(dsl);
        checkCaps(dsl);
    }

    private void checkLaneHeads(DSLContext dsl) {
        for (Disagreement disagreement : outbox.disagreements(dsl, MANY)) {
            switch (disagreement.kind()) {
                case LANE_WITHOUT_HEAD, WRONG_PTS -> found.accept(Loss.LANE_HEAD_WRONG, disagreement.toString());
                case EMPTY_LANE, DANGLING_HEAD, HEAD_TOO_HIGH -> {}
            }
        }
    }

    private void checkRepoHeads(DSLContext dsl) {
        for (RepoDisagreement disagreement : effects.disagreements(dsl, MANY)) {
            switch (disagreement.kind()) {
                case REPO_WITHOUT_HEAD, WRONG_IN_FLIGHT -> found.accept(Loss.REPO_HEAD_WRONG, disagreement.toString());
                case EMPTY_REPO -> {}
            }
        }
    }

    private void checkCaps(DSLContext dsl) {
        dsl.select(EFFECT_QUEUE.REPO_ID, count())
                .from(EFFECT_QUEUE)
                .where(EFFECT_QUEUE.STATE.eq(EffectState.CLAIMED))
                .groupBy(EFFECT_QUEUE.REPO_ID)
                .having(count().gt(cap))
                .forEach(over -> found.accept(Loss.CAP_PASSED, over.value1() + " has " + over.value2() + " claimed"));
        dsl.select(EFFECT_QUEUE_REPO_HEADS.REPO_ID, EFFECT_QUEUE_REPO_HEADS.IN_FLIGHT)
                .from(EFFECT_QUEUE_REPO_HEADS)
                .where(EFFECT_QUEUE_REPO_HEADS.IN_FLIGHT.gt(cap))
                .forEach(over ->
                        found.accept(Loss.CAP_PASSED, over.value1() + " counts " + over.value2() + " in flight"));
    }
}
