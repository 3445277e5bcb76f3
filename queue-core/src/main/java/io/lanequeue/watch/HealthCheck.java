package io.lanequeue.watch;

import io.lanequeue.effects.EffectTotals;
import io.lanequeue.internal.Inputs;
import io.lanequeue.outbox.LaneTotals;
import io.lanequeue.schema.InvalidInputException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Judges the totals of a queue, from those that a {@link QueueWatch} has anyway. Immutable.
 *
 * @param longestLag how long something may wait for a worker, 1 millisecond to 30 days
 * @param longestSilence how long a claim of the effect queue may go without an extension before somebody should have
 *     taken it back, 1 millisecond to 30 days
 */
public record HealthCheck(Duration longestLag, Duration longestSilence) {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(30);

    /** @throws InvalidInputException if a duration is out of range */
    public HealthCheck {
        Inputs.duration("longest lag", longestLag, SHORTEST, LONGEST);
        Inputs.duration("longest silence", longestSilence, SHORTEST, LONGEST);
    }

    /**
     * A minute of lag, and ten minutes of silence: twice what workers wait before they take a claim back, unless told
     * otherwise.
     */
    public static HealthCheck standard() {
        return new HealthCheck(Duration.ofMinutes(1), Duration.ofMinutes(10));
    }

    /** The same with another lag. */
    public HealthCheck withLongestLag(Duration lag) {
        return new HealthCheck(lag, longestSilence);
    }

    /** The same with another silence: longer than the time after which workers take a claim back. */
    public HealthCheck withLongestSilence(Duration silence) {
        return new HealthCheck(longestLag, silence);
    }

    /** Degraded while a lane is blocked, or one that is ready has waited for too long. */
    public QueueHealth ofOutbox(QueueWatch<LaneTotals> watch) {
        Reading<LaneTotals> reading = watch.read();
        LaneTotals totals = reading.totals();
        if (totals == null) {
            return QueueHealth.down(String.valueOf(reading.failure()));
        }
        List<String> reasons = new ArrayList<>();
        if (totals.blocked() > 0) {
            reasons.add("Lanes that are blocked and wait for an operator: " + totals.blocked());
        }
        addIfLonger(reasons, "A lane has been waiting for a worker for", totals.lag(), longestLag);
        return QueueHealth.of(reasons);
    }

    /** Degraded while an effect has waited for too long, or nobody takes back the claim of a worker that is silent. */
    public QueueHealth ofEffects(QueueWatch<EffectTotals> watch) {
        Reading<EffectTotals> reading = watch.read();
        EffectTotals totals = reading.totals();
        if (totals == null) {
            return QueueHealth.down(String.valueOf(reading.failure()));
        }
        List<String> reasons = new ArrayList<>();
        addIfLonger(reasons, "An effect has been waiting for a worker for", totals.lag(), longestLag);
        addIfLonger(
                reasons, "Nobody has taken back a claim that was not extended for", totals.silence(), longestSilence);
        return QueueHealth.of(reasons);
    }

    private static void addIfLonger(List<String> reasons, String what, @Nullable Duration time, Duration longest) {
        if (time != null && time.compareTo(longest) > 0) {
            reasons.add(what + " " + time.toSeconds() + " s, longer than " + longest);
        }
    }
}
