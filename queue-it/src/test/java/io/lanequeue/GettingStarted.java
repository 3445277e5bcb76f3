package io.lanequeue;

import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LaneOutcome;
import io.lanequeue.outbox.LaneReport;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.schema.LanequeueSchema;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jooq.DSLContext;

/** The service of the README. What stands between the marks is what the README shows; a test compares the two. */
class GettingStarted {

    private final OutboxProducer producer = new OutboxProducer();
    private final OutboxConsumer consumer = new OutboxConsumer();
    private final Consumer<Event> transport;

    GettingStarted(Consumer<Event> transport) {
        this.transport = transport;
    }

    // README begins
    /** When the service starts. */
    void migrate(DataSource dataSource) {
        LanequeueSchema.standard().migrate(dataSource);
    }

    /** In a transaction of yours: the event exists if it commits. */
    void placeOrder(DSLContext transaction, long userId, int orderNumber) {
        // … your own statements on the same transaction …
        producer.append(
                transaction, NewEvent.of(userId, orderNumber, "order.placed", "{\"order\": " + orderNumber + "}"));
    }

    /**
     * Again and again, in any number of threads and processes. Pause a little when it returns false: nothing was due.
     */
    boolean deliverOnce(DSLContext autocommit) {
        Claim claim = consumer.claim(
                autocommit,
                ClaimRequest.by("worker-1").withLanes(10).withEventsPerLane(20).withLease(Duration.ofMinutes(1)));
        List<LaneOutcome> outcomes = claim.lanes().stream().map(this::deliver).toList();
        for (LaneReport report : consumer.finish(autocommit, outcomes)) {
            if (report.status() == LaneReport.Status.LEASE_LOST) {
                log("took too long: lane " + report.lease().lane() + " is delivered again");
            }
        }
        return !claim.isIdle();
    }

    private LaneOutcome deliver(LeasedLane lane) {
        for (Event event : lane.events()) {
            try {
                send(event);
            } catch (Exception e) {
                return lane.attemptsOf(event.id()) < 10
                        ? LaneOutcome.retry(lane, event.id(), Duration.ofSeconds(10), e.toString())
                        : LaneOutcome.block(lane, event.id(), e.toString());
            }
        }
        return LaneOutcome.completed(lane);
    }
    // README ends

    private void send(Event event) {
        transport.accept(event);
    }

    private void log(String message) {
        System.out.println(message);
    }
}
