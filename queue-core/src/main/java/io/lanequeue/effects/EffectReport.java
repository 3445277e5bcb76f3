package io.lanequeue.effects;

import io.lanequeue.schema.EffectId;
import org.jspecify.annotations.Nullable;

/**
 * What the database did with one claim.
 *
 * @param claim the claim that was reported
 * @param status whether it took effect
 * @param supersededBy the effect that waits in its place, if it was superseded; else null
 */
public record EffectReport(
        EffectClaim claim, Status status, @Nullable EffectId supersededBy) {

    /** Whether a report took effect. */
    public enum Status {
        /** The effect is in the state that was asked for. */
        APPLIED,

        /** Instead of waiting again it is done: another effect of the same dedupe key waits and stands for it. */
        SUPERSEDED,

        /** The effect has another claim by now, or none, or is of another repository. Nothing was changed. */
        CLAIM_LOST
    }
}
