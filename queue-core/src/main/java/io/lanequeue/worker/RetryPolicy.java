package io.lanequeue.worker;

import io.lanequeue.effects.Backoff;
import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.InvalidInputException;
import java.time.Duration;

/**
 * How often and when what failed is tried again. Begin with {@link #standard()}: 10 attempts, after one second at first
 * and after five minutes at most.
 *
 * @param maxAttempts after so many attempts an event blocks its lane, an effect has failed for good; 1 or more
 * @param backoff the delay after each attempt, with jitter
 */
public record RetryPolicy(int maxAttempts, Backoff backoff) {

    /** @throws InvalidInputException if {@code maxAttempts} is less than 1 */
    public RetryPolicy {
        Inputs.limit("attempt limit", maxAttempts, Integer.MAX_VALUE);
    }

    /** The policy described above. */
    public static RetryPolicy standard() {
        return new RetryPolicy(10, new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5)));
    }

    public RetryPolicy withMaxAttempts(int limit) {
        return new RetryPolicy(limit, backoff);
    }

    public RetryPolicy withBackoff(Duration first, Duration longest) {
        return new RetryPolicy(maxAttempts, new Backoff(first, longest));
    }
}
