package io.lanequeue.demo;

import static io.lanequeue.demo.DemoTables.DELIVERIES;
import static io.lanequeue.demo.DemoTables.DELIVERY_EVENT;
import static io.lanequeue.demo.DemoTables.DELIVERY_LANE;
import static io.lanequeue.demo.DemoTables.DELIVERY_RUN;
import static io.lanequeue.demo.DemoTables.DELIVERY_WORKER;

import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LaneOutcome;
import io.lanequeue.outbox.LeasedLane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;

/**
 * What a service would do with its events. This one writes a row for each: rows that commit on their own, before the
 * lease is finished, as a message to the outside would go out.
 */
final class Handler {

    static final int MAX_ATTEMPTS = 3;

    private static final Duration FIRST_DELAY = Duration.ofMillis(250);

    private final Run run;
    private final Fault fault;

    Handler(Run run, Fault fault) {
        this.run = run;
        this.fault = fault;
    }

    /** Delivers claimed lanes, each as far as it goes; returns how far that was. */
    List<LaneOutcome> deliver(DSLContext dsl, String worker, List<LeasedLane> lanes) {
        List<Event> delivered = new ArrayList<>();
        List<LaneOutcome> outcomes =
                lanes.stream().map(lane -> deliver(lane, delivered)).toList();
        record(dsl, worker, delivered);
        return outcomes;
    }

    /** Delivers the first event of each lane and no more. */
    void deliverFirst(DSLContext dsl, String worker, List<LeasedLane> lanes) {
        record(
                dsl,
                worker,
                lanes.stream()
                        .map(lane -> lane.events().get(0))
                        .filter(event -> !fault.strikes(event))
                        .toList());
    }

    private LaneOutcome deliver(LeasedLane lane, List<Event> delivered) {
        for (Event event : lane.events()) {
            if (fault.strikes(event)) {
                return failed(lane, event);
            }
            delivered.add(event);
        }
        return LaneOutcome.completed(lane);
    }

    /** A delay that doubles; after the last attempt the lane is blocked. */
    private static LaneOutcome failed(LeasedLane lane, Event event) {
        int attempts = lane.attemptsOf(event.id());
        String error = "attempt " + attempts + ": the recipient does not know the event type " + event.eventType();
        if (attempts >= MAX_ATTEMPTS) {
            return LaneOutcome.block(lane, event.id(), error);
        }
        return LaneOutcome.retry(lane, event.id(), FIRST_DELAY.multipliedBy(1L << (attempts - 1)), error);
    }

    private void record(DSLContext dsl, String worker, List<Event> events) {
        if (events.isEmpty()) {
            return;
        }
        dsl.transaction(transaction -> {
            var rows = transaction
                    .dsl()
                    .batch(transaction
                            .dsl()
                            .insertInto(DELIVERIES, DELIVERY_RUN, DELIVERY_EVENT, DELIVERY_LANE, DELIVERY_WORKER)
                            .values((Long) null, null, null, null));
            events.forEach(event -> rows.bind(run.id(), event.id(), event.targetUserId(), worker));
            rows.execute();
        });
    }
}
