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
import java.util.concurrent.Executor;
import javax.sql.DataSource;

/** Tells customers of their orders and has articles fetched, on the threads it is given, until it is stopped. */
final class Deliveries {

    private final OutboxWorker customers;
    private final EffectWorker store;

    private Deliveries(DataSource dataSource, Executor threads, EventHandler customer, EffectHandler fetching) {
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

    static Deliveries start(
            DataSource dataSource, Executor threads, EventHandler customer, EffectHandler fetching) {
        return new Deliveries(dataSource, threads, customer, fetching);
    }

    /** Stops both workers, each within the deadline; tells what became of what was in hand. */
    List<StopReport> stop(Duration deadline) {
        return List.of(customers.stop(deadline), store.stop(deadline));
    }
}
