package com.example.orders;

import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.worker.EffectHandler;
import io.lanequeue.worker.EffectWorker;
import io.lanequeue.worker.EventHandler;
import io.lanequeue.worker.OutboxWorker;
import io.lanequeue.worker.StopReport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;

/** Tells customers of their orders and has articles fetched, on threads of its own, until it is stopped. */
final class Deliveries {

    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final OutboxWorker customers;
    private final EffectWorker store;

    private Deliveries(DataSource dataSource, EventHandler customer, EffectHandler fetching) {
        customers = OutboxWorker.on(
                        dataSource,
                        OrderSchemas.QUEUES,
                        ClaimRequest.by("orders").withLanes(4).withEventsPerLane(20))
                .start(threads, customer);
        store = EffectWorker.on(
                        dataSource,
                        OrderSchemas.QUEUES,
                        DispatchRequest.by("orders").withLimit(4).withCap(2))
                .start(threads, fetching);
    }

    static Deliveries start(DataSource dataSource, EventHandler customer, EffectHandler fetching) {
        return new Deliveries(dataSource, customer, fetching);
    }

    /** Stops both workers, then their threads; tells what became of what was in hand. */
    List<StopReport> stop() {
        List<StopReport> reports = List.of(customers.stop(DEADLINE), store.stop(DEADLINE));
        threads.shutdown();
        return reports;
    }
}
