package io.lanequeue.soak;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.jooq.impl.DSL.count;

import io.lanequeue.effects.EffectAudit;
import io.lanequeue.effects.RepoDisagreement;
import io.lanequeue.outbox.Disagreement;
import io.lanequeue.outbox.OutboxAudit;
import io.lanequeue.schema.EffectState;
import org.jooq.DSLContext;

/** What holds at every committed state: looked at again and again, under load, each time in one statement. */
final class Invariants {

    private static final int MANY = 10_000;

    private final OutboxAudit outbox = new OutboxAudit();
    private final EffectAudit effects = new EffectAudit();
    private final Losses losses;

    Invariants(Losses losses) {
        this.losses = losses;
    }

    /** Looks at the heads of both queues and at the caps. */
    void check(DSLContext dsl) {
        checkLaneHeads(dsl);
        checkRepoHeads(dsl);
        checkCaps(dsl);
    }

    private void checkLaneHeads(DSLContext dsl) {
        for (Disagreement found : outbox.disagreements(dsl, MANY)) {
            switch (found.kind()) {
                case LANE_WITHOUT_HEAD, WRONG_PTS -> losses.add(Loss.LANE_HEAD_WRONG, found.toString());
                case EMPTY_LANE, DANGLING_HEAD, HEAD_TOO_HIGH -> {}
            }
        }
    }

    private void checkRepoHeads(DSLContext dsl) {
        for (RepoDisagreement found : effects.disagreements(dsl, MANY)) {
            switch (found.kind()) {
                case REPO_WITHOUT_HEAD, WRONG_IN_FLIGHT -> losses.add(Loss.REPO_HEAD_WRONG, found.toString());
                case EMPTY_REPO -> {}
            }
        }
    }

    private void checkCaps(DSLContext dsl) {
        dsl.select(EFFECT_QUEUE.REPO_ID, count())
                .from(EFFECT_QUEUE)
                .where(EFFECT_QUEUE.STATE.eq(EffectState.CLAIMED))
                .groupBy(EFFECT_QUEUE.REPO_ID)
                .having(count().gt(Plan.CAP))
                .forEach(over -> losses.add(Loss.CAP_PASSED, over.value1() + " has " + over.value2() + " claimed"));
        dsl.select(EFFECT_QUEUE_REPO_HEADS.REPO_ID, EFFECT_QUEUE_REPO_HEADS.IN_FLIGHT)
                .from(EFFECT_QUEUE_REPO_HEADS)
                .where(EFFECT_QUEUE_REPO_HEADS.IN_FLIGHT.gt(Plan.CAP))
                .forEach(
                        over -> losses.add(Loss.CAP_PASSED, over.value1() + " counts " + over.value2() + " in flight"));
    }
}
