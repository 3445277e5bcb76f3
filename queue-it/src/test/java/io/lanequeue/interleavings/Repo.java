package io.lanequeue.interleavings;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.EffectClaim;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectOperator;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.effects.RepoClaimRequest;
import io.lanequeue.schema.ClaimId;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.RepoId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;

/** A repository that was prepared for two calls; beside other effects it has one that is done and one that failed. */
final class Repo implements Subject<RepoLedger> {

    static final EffectProducer PRODUCER = new EffectProducer();
    static final EffectConsumer CONSUMER = new EffectConsumer();
    static final EffectOperator OPERATOR = new EffectOperator();

    private static final EffectConsumer TOMORROW =
            EffectConsumer.at(Instant.now().plus(Duration.ofDays(1)));

    private final RepoId id;
    private final ClaimId claimId;
    private final List<EffectId> effects;
    private final RepoLedger ledger = new RepoLedger();

    Repo(DSLContext dsl, long number, List<PreparedEffect> others) {
        id = new RepoId("repo " + number);
        claimId = new ClaimId(-number); // never given by the database
        List<PreparedEffect> prepared = new ArrayList<>(List.of(PreparedEffect.DONE, PreparedEffect.FAILED));
        prepared.addAll(others);
        effects = dsl
                .insertInto(EFFECT_QUEUE)
                .set(prepared.stream().map(effect -> effect.row(id, claimId)).toList())
                .returningResult(EFFECT_QUEUE.ID)
                .fetch(EFFECT_QUEUE.ID)
                .stream()
                .sorted()
                .toList();
        for (int i = 0; i < effects.size(); i++) {
            ledger.prepared(
                    new EffectClaim(effects.get(i), claimId), prepared.get(i).standing());
        }
    }

    RepoId id() {
        return id;
    }

    EffectId done() {
        return effects.get(0);
    }

    EffectId failed() {
        return effects.get(1);
    }

    /** The claim of the effect in flight; if there is none, one that nobody has. */
    EffectClaim claim() {
        return ledger.claims().stream().findFirst().orElse(new EffectClaim(failed(), claimId));
    }

    /** The effect that was enqueued last; if none waits, the failed one. */
    EffectId last() {
        return effects.get(effects.size() - 1);
    }

    NewEffect effect() {
        return NewEffect.of(id.value(), "{}");
    }

    /** As an enqueue leaves one that pinned it and was rolled back. */
    void leaveAnEmptyHead(DSLContext dsl) {
        dsl.insertInto(EFFECT_QUEUE_REPO_HEADS, EFFECT_QUEUE_REPO_HEADS.REPO_ID)
                .values(id)
                .execute();
    }

    /** The head does not say any more which effect is the oldest. */
    void forgetTheOldest(DSLContext dsl) {
        dsl.update(EFFECT_QUEUE_REPO_HEADS)
                .setNull(EFFECT_QUEUE_REPO_HEADS.HEAD_ID)
                .where(EFFECT_QUEUE_REPO_HEADS.REPO_ID.eq(id))
                .execute();
    }

    @Override
    public RepoLedger ledger() {
        return new RepoLedger(ledger);
    }

    @Override
    public Report<RepoLedger> look(DSLContext dsl) {
        return RepoFound.of(dsl, id);
    }

    @Override
    public void drain(DSLContext dsl, RepoLedger ledger) {
        assertThat(TOMORROW.claim(dsl, new RepoClaimRequest(id, "worker", 10)))
                .extracting(effect -> effect.claim().effect())
                .isEqualTo(ledger.claimable());
        // Its effects would be met by calls that look at all repositories.
        dsl.deleteFrom(EFFECT_QUEUE).where(EFFECT_QUEUE.REPO_ID.eq(id)).execute();
    }

    @Override
    public String toString() {
        return id.value();
    }
}
