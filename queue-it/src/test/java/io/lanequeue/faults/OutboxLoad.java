package io.lanequeue.faults;

import static java.util.stream.Collectors.toSet;

import io.lanequeue.faults.LaneLedger.Sent;
import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LaneOutcome;
import io.lanequeue.outbox.LaneTotals;
import io.lanequeue.outbox.Lease;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.outbox.OutboxOperator;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.schema.EventId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jooq.DSLContext;

/** Appends and delivers events, and goes on whatever happens to the server. */
final class OutboxLoad implements Load {

    private static final int LANES_PER_PRODUCER = 10;

    private final OutboxProducer producer = new OutboxProducer();
    private final OutboxConsumer consumer = new OutboxConsumer();
    private final OutboxOperator operator = new OutboxOperator();
    private final LaneLedger ledger;

    OutboxLoad(LaneLedger ledger) {
        this.ledger = ledger;
    }

    /** Each producer has lanes of its own, so that their order is known. */
    @Override
    public void produce(Client client, int number, Progress progress) {
        var random = new Random(number);
        var pts = new AtomicInteger();
        while (progress.isProducing()) {
            // Others at each try: the events of a commit that was in doubt and happened may be delivered by then, and
            // the
            // same places again would come before them.
            client.transaction(dsl -> append(dsl, next(number, random, pts)), ledger);
        }
    }

    private static List<NewEvent> next(int number, Random random, AtomicInteger pts) {
        List<NewEvent> events = new ArrayList<>();
        for (int i = random.nextInt(5); i >= 0; i--) {
            long user = number * (long) LANES_PER_PRODUCER + random.nextInt(LANES_PER_PRODUCER);
            events.add(NewEvent.of(user, pts.getAndIncrement(), "load", "{}"));
        }
        return events;
    }

    private Set<Sent> append(DSLContext dsl, List<NewEvent> events) {
        List<EventId> ids = producer.appendAll(dsl, events);
        return IntStream.range(0, ids.size())
                .mapToObj(i -> Sent.of(ids.get(i), events.get(i)))
                .collect(toSet());
    }

    @Override
    public void consume(Client client, int number, Progress progress) {
        var random = new Random(number);
        ClaimRequest request = ClaimRequest.by("worker-" + number)
                .withLanes(10)
                .withEventsPerLane(5)
                .withLease(Duration.ofMillis(300));
        while (progress.isProducing() || !client.call(this::isDrained)) {
            Claim claim = client.call(dsl -> consumer.claim(dsl, request));
            // Some are left behind, as by a worker that dies.
            List<LeasedLane> lanes = claim.lanes().stream()
                    .filter(lane -> random.nextInt(10) > 0)
                    .toList();
            Set<Lease> held = extend(client, lanes);
            List<LaneOutcome> outcomes = lanes.stream()
                    .filter(lane -> held.contains(lane.lease()))
                    .map(lane -> handle(lane, random, progress))
                    .toList();
            client.call(dsl -> consumer.finish(dsl, outcomes));
        }
    }

    /** Only the holder of a live lease may touch what stands for the outside world. */
    private Set<Lease> extend(Client client, List<LeasedLane> lanes) {
        List<Lease> leases = lanes.stream().map(LeasedLane::lease).toList();
        return client.call(dsl -> consumer.extend(dsl, leases, Duration.ofSeconds(30)))
                .keySet();
    }

    private boolean isDrained(DSLContext dsl) {
        LaneTotals totals = operator.totals(dsl);
        return totals.ready() + totals.backingOff() + totals.leased() + totals.blocked() == 0;
    }

    private LaneOutcome handle(LeasedLane lane, Random random, Progress progress) {
        List<Event> tried =
                lane.events().subList(0, 1 + random.nextInt(lane.events().size()));
        tried.stream().map(Sent::of).forEach(ledger::handled);
        progress.handled(tried.size());
        EventId last = tried.get(tried.size() - 1).id();
        return random.nextInt(10) > 0
                ? LaneOutcome.deliveredThrough(lane, last)
                : LaneOutcome.retry(lane, last, Duration.ofMillis(5), "failed");
    }
}
