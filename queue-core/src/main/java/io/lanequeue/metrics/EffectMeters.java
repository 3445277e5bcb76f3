package io.lanequeue.metrics;

import io.lanequeue.effects.EffectTotals;
import io.lanequeue.watch.QueueWatch;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Gauges of the effect queue: effects in flight and failed, repositories that wait, the lag, and how long the quietest
 * claim has been silent. All are of one reading, and NaN while the database does not answer. Every process that binds
 * them shows the same figures, since all look at one database.
 */
public final class EffectMeters implements MeterBinder {

    private static final String EFFECTS = "lanequeue.effects";

    private final QueueWatch<EffectTotals> watch;
    private final Tags more;

    public EffectMeters(QueueWatch<EffectTotals> watch) {
        this(watch, Tags.empty());
    }

    /** With tags beside {@code queue} and {@code state}. */
    public EffectMeters(QueueWatch<EffectTotals> watch, Tags more) {
        this.watch = watch;
        this.more = more;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        var gauges = new Gauges<>(registry, watch);
        Tags tags = QueueTags.EFFECTS.and(more);
        String effects = "Effects in flight, exactly, and failed ones up to " + QueueWatch.MOST_FAILED;
        gauges.number(EFFECTS, tags.and("state", "claimed"), effects, EffectTotals::inFlight);
        gauges.number(EFFECTS, tags.and("state", "failed"), effects, EffectTotals::failed);
        gauges.number(
                "lanequeue.repos.waiting",
                tags,
                "Repositories with an effect that waits to be claimed",
                EffectTotals::waitingRepos);
        gauges.time(QueueTags.LAG, tags, QueueTags.LAG_DESCRIPTION, EffectTotals::lag);
        gauges.time(
                "lanequeue.claim.silence",
                tags,
                "How long ago the claim that has been silent longest was made or last extended",
                EffectTotals::silence);
    }
}
