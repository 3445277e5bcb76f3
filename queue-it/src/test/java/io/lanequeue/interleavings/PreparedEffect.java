package io.lanequeue.interleavings;

import io.lanequeue.interleavings.RepoLedger.Standing;
import io.lanequeue.schema.ClaimId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.RepoId;
import io.lanequeue.schema.jooq.tables.records.EffectQueueRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/** An effect as calls have left it, each an hour ago. */
enum PreparedEffect {
    DONE(EffectState.DONE, Standing.DONE, effect -> effect.setDoneAt(anHourAgo())),
    FAILED(EffectState.FAILED, Standing.FAILED, effect -> effect.setFailedAt(anHourAgo())),
    IN_FLIGHT(EffectState.CLAIMED, Standing.CLAIMED, effect -> {
        effect.setDedupeKey(PreparedEffect.KEY_IN_FLIGHT);
        effect.setClaimedBy("worker");
        effect.setClaimedAt(anHourAgo());
    }),
    DUE(EffectState.SCHEDULED, Standing.WAITING, effect -> effect.setScheduledAt(anHourAgo())),
    WAITING(EffectState.ENQUEUED, Standing.WAITING, effect -> effect.setDedupeKey(PreparedEffect.KEY_WAITING));

    static final String KEY_IN_FLIGHT = "in flight";
    static final String KEY_WAITING = "waiting";

    private final EffectState state;
    private final Standing standing;
    private final Consumer<EffectQueueRecord> rest;

    PreparedEffect(EffectState state, Standing standing, Consumer<EffectQueueRecord> rest) {
        this.state = state;
        this.standing = standing;
        this.rest = rest;
    }

    private static Instant anHourAgo() {
        return Instant.now().minus(Duration.ofHours(1));
    }

    Standing standing() {
        return standing;
    }

    /** Its row; a claim has the given id. */
    EffectQueueRecord row(RepoId repo, ClaimId claim) {
        EffectQueueRecord effect = new EffectQueueRecord();
        effect.setRepoId(repo);
        effect.setPayload("{}");
        effect.setState(state);
        effect.setAttempts(1);
        if (state == EffectState.CLAIMED) {
            effect.setClaimId(claim);
        }
        rest.accept(effect);
        return effect;
    }
}
