package io.lanequeue.model.effects;

import io.lanequeue.effects.EffectClaim;
import io.lanequeue.schema.ClaimId;
import io.lanequeue.schema.EffectId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An effect.
 *
 * @param key its dedupe key
 * @param claim the claim it is under; null where another program claimed it, and where it is not claimed
 */
record Effect(
        EffectId id,
        String repo,
        @Nullable String key,
        Phase phase,
        @Nullable ClaimId claim) {

    enum Phase {
        /** Scheduled, and not due yet. */
        LATER,
        /** Enqueued, or scheduled and due: claims enqueue what is due when they get at it. */
        WAITING,
        CLAIMED,
        /** Claimed so long ago that it may be requeued. */
        STALE,
        DONE,
        FAILED
    }

    Effect in(Phase other) {
        return new Effect(id, repo, key, other, other == Phase.STALE ? claim : null);
    }

    Effect claimed(@Nullable ClaimId under) {
        return new Effect(id, repo, key, Phase.CLAIMED, under);
    }

    boolean isClaimed() {
        return phase == Phase.CLAIMED || phase == Phase.STALE;
    }

    boolean isClaimedUnder(EffectClaim other) {
        return isClaimed() && other.id().equals(claim);
    }

    /** Whether it stands for others of its key. */
    boolean isWaiting() {
        return phase == Phase.WAITING || phase == Phase.LATER;
    }

    boolean hasKeyOf(Effect other) {
        return key != null && key.equals(other.key) && repo.equals(other.repo);
    }

    Optional<Row> keyRow() {
        return Optional.ofNullable(key).map(name -> Row.key(repo, name));
    }
}
