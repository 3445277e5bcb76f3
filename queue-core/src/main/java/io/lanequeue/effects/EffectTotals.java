package io.lanequeue.effects;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is going on in the effect queue, as far as the heads of the repositories and the first entries of indexes tell:
 * how many effects wait is not known without counting them.
 *
 * @param waitingRepos repositories with an effect that waits to be claimed
 * @param inFlight claimed effects of all repositories, exactly
 * @param failed effects that failed for good, up to the bound
 * @param lag how long it is that the longest waiting of the repositories' oldest effects, or of those that are
 *     scheduled and due, could have been claimed; null when none waits
 * @param silence how long nothing has been heard of the claim that was extended longest ago; null when none is claimed
 */
public record EffectTotals(
        long waitingRepos,
        long inFlight,
        int failed,
        @Nullable Duration lag,
        @Nullable Duration silence) {}
