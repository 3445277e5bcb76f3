package io.lanequeue.effects;

import io.lanequeue.internal.Inputs;

/**
 * An effect that failed for good.
 *
 * @param claim the claim under which it failed
 * @param error why; as for {@link EffectRetry}, and an empty one keeps what the attempt before it said
 */
public record EffectFailure(EffectClaim claim, String error) {

    public EffectFailure {
        error = Inputs.error(error);
    }
}
