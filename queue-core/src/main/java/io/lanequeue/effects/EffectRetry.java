package io.lanequeue.effects;

import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.InvalidInputException;
import java.time.Duration;

/**
 * A failed attempt that is to be repeated.
 *
 * @param claim the claim under which it failed
 * @param delay until it may be claimed again, 0 to 365 days; see {@link Backoff}
 * @param error why; what cannot be stored of it is replaced, and it is cut after {@value Inputs#MAX_ERROR_LENGTH}
 *     characters
 */
public record EffectRetry(EffectClaim claim, Duration delay, String error) {

    private static final Duration LONGEST_DELAY = Duration.ofDays(365);

    /** @throws InvalidInputException if the delay is out of range */
    public EffectRetry {
        Inputs.duration("retry delay", delay, Duration.ZERO, LONGEST_DELAY);
        error = Inputs.error(error);
    }
}
