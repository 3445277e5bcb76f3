package io.lanequeue.demo;

import static io.lanequeue.demo.EffectTables.ATTEMPTS;
import static io.lanequeue.demo.EffectTables.ATTEMPT_EFFECT;
import static io.lanequeue.demo.EffectTables.ATTEMPT_HANDLED;
import static io.lanequeue.demo.EffectTables.ATTEMPT_REPO;
import static io.lanequeue.demo.EffectTables.EFFECT;
import static io.lanequeue.demo.EffectTables.EFFECTS;
import static io.lanequeue.demo.EffectTables.PEAK;
import static io.lanequeue.demo.EffectTables.PEAKS;
import static io.lanequeue.demo.EffectTables.PEAK_REPO;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.selectDistinct;

import io.lanequeue.effects.EffectAudit;
import io.lanequeue.effects.RepoDisagreement;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.RepoId;
import java.util.List;
import org.jooq.DSLContext;

/**
 * The proof, from the tables: what was enqueued against what was done, and the cap against what was in flight.
 *
 * @param unhandled effects that were enqueued and never done by a dispatcher
 * @param incomplete effects that were enqueued and are not completed in the queue
 * @param unknown attempts at effects that were not enqueued
 * @param left effects that wait or are claimed
 * @param overCap repositories with more effects in flight at a time than the cap
 * @param unwatched repositories whose effects were claimed, but whose number in flight nobody recorded
 * @param disagreements what {@link EffectAudit} found, except heads that nothing stands behind
 */
record EffectCheck(
        int unhandled,
        int incomplete,
        int unknown,
        int left,
        List<RepoId> overCap,
        int unwatched,
        List<RepoDisagreement> disagreements) {

    private static final int MAX_DISAGREEMENTS = 100;

    static EffectCheck of(DSLContext dsl, int cap) {
        int unhandled = dsl.fetchCount(
                EFFECTS.leftAntiJoin(ATTEMPTS).on(ATTEMPT_EFFECT.eq(EFFECT)).and(condition(ATTEMPT_HANDLED)));
        int incomplete = dsl.fetchCount(EFFECTS.leftAntiJoin(EFFECT_QUEUE)
                .on(EFFECT_QUEUE.ID.eq(EFFECT))
                .and(EFFECT_QUEUE.STATE.eq(EffectState.DONE)));
        int unknown = dsl.fetchCount(ATTEMPTS.leftAntiJoin(EFFECTS).on(EFFECT.eq(ATTEMPT_EFFECT)));
        var claimed = selectDistinct(ATTEMPT_REPO).from(ATTEMPTS).asTable("claimed");
        int unwatched = dsl.fetchCount(claimed.leftAntiJoin(PEAKS).on(PEAK_REPO.eq(claimed.field(ATTEMPT_REPO))));
        return new EffectCheck(
                unhandled,
                incomplete,
                unknown,
                dsl.fetchCount(EFFECT_QUEUE, EffectTables.isNotOver()),
                dsl.select(PEAK_REPO)
                        .from(PEAKS)
                        .where(PEAK.gt(cap))
                        .orderBy(PEAK_REPO)
                        .fetch(PEAK_REPO),
                unwatched,
                new EffectAudit()
                        .disagreements(dsl, MAX_DISAGREEMENTS).stream()
                                .filter(found -> found.kind() != RepoDisagreement.Kind.EMPTY_REPO)
                                .toList());
    }

    /** Whether every effect was completed, nothing is left, no cap was passed, and the heads are sound. */
    boolean holds() {
        return unhandled == 0
                && incomplete == 0
                && unknown == 0
                && left == 0
                && overCap.isEmpty()
                && unwatched == 0
                && disagreements.isEmpty();
    }
}
