package io.lanequeue;

import io.lanequeue.effects.EffectTotals;
import io.lanequeue.metrics.EffectMeters;
import io.lanequeue.metrics.OutboxMeters;
import io.lanequeue.metrics.WorkerMeters;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LaneTotals;
import io.lanequeue.schema.LanequeueSchema;
import io.lanequeue.watch.HealthCheck;
import io.lanequeue.watch.QueueHealth;
import io.lanequeue.watch.QueueWatch;
import io.lanequeue.worker.OutboxWorker;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** A service that can be watched, as docs/operations.md shows it. */
final class GettingStartedWithMeters {

    private final Executor threads;
    private final Consumer<Event> receiver;

    GettingStartedWithMeters(Executor threads, Consumer<Event> receiver) {
        this.threads = threads;
        this.receiver = receiver;
    }

    // README begins
    private final LanequeueSchema schema = LanequeueSchema.standard();

    /** Counts what the worker does, and times its handlers. */
    OutboxWorker deliverEvents(DataSource dataSource, MeterRegistry registry) {
        return OutboxWorker.on(dataSource, schema, ClaimRequest.by("orders-1"))
                .withEvents(WorkerMeters.ofOutbox(registry))
                .start(threads, (event, attempt) -> send(event));
    }

    /** Once in a process. Keep it: gauges and health checks share what it has read. */
    QueueWatch<LaneTotals> watchOutbox(DataSource dataSource, MeterRegistry registry) {
        QueueWatch<LaneTotals> watch = QueueWatch.ofOutbox(dataSource, schema);
        new OutboxMeters(watch).bindTo(registry);
        return watch;
    }

    /** The same for the effect queue. */
    QueueWatch<EffectTotals> watchEffects(DataSource dataSource, MeterRegistry registry) {
        QueueWatch<EffectTotals> watch = QueueWatch.ofEffects(dataSource, schema);
        new EffectMeters(watch).bindTo(registry);
        return watch;
    }

    /** UP, DEGRADED or DOWN, and the reasons in words. */
    QueueHealth health(QueueWatch<LaneTotals> outbox) {
        return HealthCheck.standard().withLongestLag(Duration.ofMinutes(5)).ofOutbox(outbox);
    }
    // README ends

    private void send(Event event) {
        receiver.accept(event);
    }
}
