package io.lanequeue.metrics;

import io.lanequeue.worker.WorkerEvents;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/**
 * Counts what a worker does, and times its handlers, in a Micrometer registry; give it to the worker's
 * {@code withEvents}. Workers of one queue with the same tags share their meters, which then tell of all of them. The
 * table of meters is in docs/operations.md. Thread-safe.
 */
public final class WorkerMeters implements WorkerEvents {

    private final Counter claimed;
    private final Timer handler;
    private final Counter delivered;
    private final Counter failed;
    private final Counter gaveUp;
    private final Counter released;
    private final Counter lost;
    private final Counter requeued;
    private final Counter databaseWentAway;
    private final Counter databaseCameBack;

    private WorkerMeters(MeterRegistry registry, Tags tags) {
        claimed = counter(registry, tags, "claimed", "Lanes or effects that were claimed");
        handler = Timer.builder("lanequeue.handler")
                .description("Calls of handlers, whatever came of them")
                .tags(tags)
                .register(registry);
        delivered = counter(registry, tags, "delivered", "Events that were delivered, or effects that were done");
        failed = counter(registry, tags, "failed", "Failures after which there is another attempt");
        gaveUp = counter(registry, tags, "gave.up", "Failures after which a lane is blocked, or an effect has failed");
        released = counter(registry, tags, "released", "Lanes or effects that were given back without a failure");
        lost = counter(registry, tags, "lost", "Leases or claims that another worker has, or may have");
        requeued = counter(registry, tags, "requeued", "Effects that were taken back from workers that are silent");
        databaseWentAway = counter(registry, tags, "database.went.away", "Times that the database stopped answering");
        databaseCameBack = counter(registry, tags, "database.came.back", "Times that the database answered again");
    }

    private static Counter counter(MeterRegistry registry, Tags tags, String name, String description) {
        return Counter.builder("lanequeue." + name)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    /** For workers of the outbox, with the tag {@code queue=outbox}. */
    public static WorkerMeters ofOutbox(MeterRegistry registry) {
        return ofOutbox(registry, Tags.empty());
    }

    /**
     * The same with more tags, such as the worker's name. Use the same keys for all workers of a registry: some kinds
     * of registry refuse others.
     */
    public static WorkerMeters ofOutbox(MeterRegistry registry, Tags more) {
        return new WorkerMeters(registry, QueueTags.OUTBOX.and(more));
    }

    /** For workers of the effect queue, with the tag {@code queue=effects}. */
    public static WorkerMeters ofEffects(MeterRegistry registry) {
        return ofEffects(registry, Tags.empty());
    }

    /** The same with more tags, as for {@link #ofOutbox(MeterRegistry, Tags)}. */
    public static WorkerMeters ofEffects(MeterRegistry registry, Tags more) {
        return new WorkerMeters(registry, QueueTags.EFFECTS.and(more));
    }

    @Override
    public void claimed(int count) {
        claimed.increment(count);
    }

    @Override
    public void handled(Duration time) {
        handler.record(time);
    }

    @Override
    public void delivered(int count) {
        delivered.increment(count);
    }

    @Override
    public void failed() {
        failed.increment();
    }

    @Override
    public void gaveUp() {
        gaveUp.increment();
    }

    @Override
    public void released() {
        released.increment();
    }

    @Override
    public void lost() {
        lost.increment();
    }

    @Override
    public void requeued(int count) {
        requeued.increment(count);
    }

    @Override
    public void databaseWentAway() {
        databaseWentAway.increment();
    }

    @Override
    public void databaseCameBack() {
        databaseCameBack.increment();
    }
}
