package io.lanequeue.metrics;

import io.lanequeue.outbox.LaneTotals;
import io.lanequeue.watch.QueueWatch;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Gauges of the outbox: lanes by state, and the lag. All are of one reading of the heads, and NaN while the database
 * does not answer. Every process that binds them shows the same figures, since all look at one database.
 */
public final class OutboxMeters implements MeterBinder {

    private static final String LANES = "lanequeue.lanes";

    private final QueueWatch<LaneTotals> watch;
    private final Tags more;

    public OutboxMeters(QueueWatch<LaneTotals> watch) {
        this(watch, Tags.empty());
    }

    /** With tags beside {@code queue} and {@code state}. */
    public OutboxMeters(QueueWatch<LaneTotals> watch, Tags more) {
        this.watch = watch;
        this.more = more;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        var gauges = new Gauges<>(registry, watch);
        Tags tags = QueueTags.OUTBOX.and(more);
        String lanes = "Lanes with a backlog, by state";
        gauges.number(LANES, tags.and("state", "ready"), lanes, LaneTotals::ready);
        gauges.number(LANES, tags.and("state", "backing_off"), lanes, LaneTotals::backingOff);
        gauges.number(LANES, tags.and("state", "leased"), lanes, LaneTotals::leased);
        gauges.number(LANES, tags.and("state", "blocked"), lanes, LaneTotals::blocked);
        gauges.time(QueueTags.LAG, tags, QueueTags.LAG_DESCRIPTION, LaneTotals::lag);
    }
}
