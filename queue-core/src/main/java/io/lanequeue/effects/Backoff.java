package io.lanequeue.effects;

import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.InvalidInputException;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Delays that double with each attempt, up to a longest, each drawn between half of that and all of it, so that effects
 * that failed together do not come back together.
 *
 * @param first the delay after the first attempt, 1 millisecond to 365 days
 * @param longest the longest delay, from {@code first} to 365 days
 */
public record Backoff(Duration first, Duration longest) {

    private static final Duration LIMIT = Duration.ofDays(365);

    /** @throws InvalidInputException if a delay is out of range */
    public Backoff {
        Inputs.duration("first delay", first, Duration.ofMillis(1), LIMIT);
        Inputs.duration("longest delay", longest, first, LIMIT);
    }

    /**
     * The delay after so many attempts, 1 or more.
     *
     * @throws InvalidInputException for fewer
     */
    public Duration after(int attempts, RandomGenerator random) {
        Inputs.limit("number of attempts", attempts, Integer.MAX_VALUE);
        Duration whole = longest;
        if (attempts < Long.SIZE - 1 && longest.dividedBy(first) >> (attempts - 1) > 0) {
            whole = first.multipliedBy(1L << (attempts - 1));
        }
        long millis = whole.toMillis();
        return Duration.ofMillis(random.nextLong(millis / 2, millis + 1));
    }
}
