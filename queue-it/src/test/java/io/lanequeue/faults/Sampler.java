package io.lanequeue.faults;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.jooq.impl.DSL.count;

import io.lanequeue.effects.EffectAudit;
import io.lanequeue.effects.RepoDisagreement;
import io.lanequeue.outbox.Disagreement;
import io.lanequeue.outbox.OutboxAudit;
import io.lanequeue.schema.EffectState;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;

/** Looks under load for what may not be at any committed state. Each look is one statement, so one snapshot. */
final class Sampler {

    private static final int MOST = 10;

    private final int cap;
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final AtomicInteger samples = new AtomicInteger();

    Sampler(int cap) {
        this.cap = cap;
    }

    void look(DSLContext dsl) {
        dsl.select(EFFECT_QUEUE.REPO_ID, count())
                .from(EFFECT_QUEUE)
                .where(EFFECT_QUEUE.STATE.eq(EffectState.CLAIMED))
                .groupBy(EFFECT_QUEUE.REPO_ID)
                .having(count().gt(cap))
                .forEach(row -> violations.add("cap passed: " + row));
        new EffectAudit()
                .disagreements(dsl, MOST).stream()
                        .filter(found -> found.kind() != RepoDisagreement.Kind.EMPTY_REPO)
                        .forEach(found -> violations.add(found.toString()));
        new OutboxAudit()
                .disagreements(dsl, MOST).stream()
                        .filter(found -> found.kind() == Disagreement.Kind.LANE_WITHOUT_HEAD
                                || found.kind() == Disagreement.Kind.WRONG_PTS)
                        .forEach(found -> violations.add(found.toString()));
        samples.incrementAndGet();
    }

    List<String> violations() {
        return violations;
    }

    @Override
    public String toString() {
        return samples + " samples";
    }
}
