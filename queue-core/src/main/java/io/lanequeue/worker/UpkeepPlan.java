package io.lanequeue.worker;

import io.lanequeue.internal.Inputs;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the workers of the effect queue clear away.
 *
 * @param staleAfter claims that were not extended for so long are taken back
 * @param keepDone how long done effects are kept
 * @param keepFailed how long failed effects are kept; null for ever
 */
record UpkeepPlan(
        Duration staleAfter, Duration keepDone, @Nullable Duration keepFailed) {

    private static final Duration LONGEST = Duration.ofDays(3650);

    UpkeepPlan {
        Inputs.duration("age of stale claims", staleAfter, Duration.ofMillis(10), Duration.ofDays(30));
        Inputs.duration("age of done effects", keepDone, Duration.ZERO, LONGEST);
        if (keepFailed != null) {
            Inputs.duration("age of failed effects", keepFailed, Duration.ZERO, LONGEST);
        }
    }

    static UpkeepPlan standard() {
        return new UpkeepPlan(Duration.ofMinutes(5), Duration.ofDays(7), null);
    }

    UpkeepPlan withStaleAfter(Duration age) {
        return new UpkeepPlan(age, keepDone, keepFailed);
    }

    UpkeepPlan withKeepDone(Duration age) {
        return new UpkeepPlan(staleAfter, age, keepFailed);
    }

    UpkeepPlan withKeepFailed(Duration age) {
        return new UpkeepPlan(staleAfter, keepDone, age);
    }
}
