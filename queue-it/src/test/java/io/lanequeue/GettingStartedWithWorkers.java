package io.lanequeue;

import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.Event;
import io.lanequeue.schema.LanequeueSchema;
import io.lanequeue.worker.EffectWorker;
import io.lanequeue.worker.OutboxWorker;
import io.lanequeue.worker.RetryPolicy;
import io.lanequeue.worker.StopReport;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** A service with a worker of each queue, as docs/worker.md shows it. */
final class GettingStartedWithWorkers {

    private final Consumer<Event> receiver;
    private final Consumer<ClaimedEffect> indexer;

    GettingStartedWithWorkers(Consumer<Event> receiver, Consumer<ClaimedEffect> indexer) {
        this.receiver = receiver;
        this.indexer = indexer;
    }

    // README begins
    private final LanequeueSchema schema = LanequeueSchema.standard();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** When the service starts. */
    void migrate(DataSource dataSource) {
        schema.migrate(dataSource);
    }

    /** Eight users at once, up to twenty events of each at a time, in order. */
    OutboxWorker deliverEvents(DataSource dataSource) {
        ClaimRequest request = ClaimRequest.by("orders-1").withLanes(8).withEventsPerLane(20);
        return OutboxWorker.on(dataSource, schema, request)
                .withRetryPolicy(RetryPolicy.standard().withMaxAttempts(5))
                .start(threads, (event, attempt) -> send(event));
    }

    /** Sixteen effects at once, at most two of one repository, over all workers. */
    EffectWorker doEffects(DataSource dataSource) {
        DispatchRequest request = DispatchRequest.by("orders-1").withLimit(16).withCap(2);
        return EffectWorker.on(dataSource, schema, request).start(threads, (effect, attempt) -> index(effect));
    }

    /** When the service ends. */
    void stop(OutboxWorker worker) {
        StopReport report = worker.stop(Duration.ofSeconds(20));
        if (!report.isClean()) {
            log(report.left() + " lanes were left; they are delivered when their leases are over");
        }
    }
    // README ends

    private void send(Event event) {
        receiver.accept(event);
    }

    private void index(ClaimedEffect effect) {
        indexer.accept(effect);
    }

    private static void log(String message) {
        System.out.println(message);
    }
}
