package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.CallAgainException;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Wiring;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Twelve connections append, claim, fail, release and complete at once until all producers are done, then the queue is
 * drained. Each lane has one producer, so its order is known.
 */
class LaneStressTest {

    private static final int LANES = 30;
    private static final int PRODUCERS = 6;
    private static final int WORKERS = 6;
    private static final int TRANSACTIONS_PER_PRODUCER = 400;

    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);
    private final OutboxProducer producer = new OutboxProducer();
    private final OutboxConsumer consumer = new OutboxConsumer();
    private final AtomicInteger producing = new AtomicInteger(PRODUCERS);

    /** What was appended and committed, by lane, in the order of the lane. */
    private final Map<TargetUserId, List<EventId>> appended = new ConcurrentHashMap<>();

    /** What was handed to a handler, by lane; a lane's list is written under its lease only. */
    private final Map<TargetUserId, List<EventId>> handled = new ConcurrentHashMap<>();

    /** What was deleted as delivered. */
    private final Set<EventId> delivered = ConcurrentHashMap.newKeySet();

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @Test
    void everyEventIsDeliveredInOrderAndNothingIsStranded() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed of the stress run: " + seed);
        ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS + WORKERS);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++) {
            int number = i;
            running.add(threads.submit(() -> produce(number, new Random(seed + number))));
        }
        for (int i = 0; i < WORKERS; i++) {
            int number = i;
            running.add(threads.submit(() -> work(number, new Random(seed - 1 - number))));
        }
        for (Future<?> thread : running) {
            thread.get(5, TimeUnit.MINUTES); // workers go on until all is done; what is lost never is
        }
        threads.shutdown();

        assertThat(new OutboxAudit().disagreements(db.open().dsl(), 10)).isEmpty();
        appended.forEach((lane, events) -> {
            assertThat(delivered).as("lane %s", lane).containsAll(events);
            assertThat(firstDeliveries(lane)).as("lane %s", lane).isEqualTo(events);
        });
    }

    private List<EventId> firstDeliveries(TargetUserId lane) {
        return handled.getOrDefault(lane, List.of()).stream().distinct().toList();
    }

    private void produce(int number, Random random) {
        Isolation[] isolations = Isolation.values();
        int pts = 0;
        Session session = db.begin(Isolation.READ_COMMITTED);
        for (int transaction = 0; transaction < TRANSACTIONS_PER_PRODUCER; transaction++) {
            session.begin(isolations[random.nextInt(isolations.length)]);
            List<NewEvent> events = new ArrayList<>();
            for (int i = random.nextInt(5); i >= 0; i--) {
                long user = number + (long) PRODUCERS * random.nextInt(LANES / PRODUCERS);
                events.add(NewEvent.of(user, pts++, "stress", "{}"));
            }
            try {
                List<EventId> ids = producer.appendAll(session.dsl(), events);
                if (random.nextInt(10) == 0) {
                    session.rollback();
                } else if (session.tryCommit()) {
                    IntStream.range(0, ids.size())
                            .forEach(i -> appended.computeIfAbsent(
                                            events.get(i).targetUserId(), lane -> new ArrayList<>())
                                    .add(ids.get(i)));
                }
            } catch (CallAgainException e) {
                session.rollback();
            }
        }
        producing.decrementAndGet();
    }

    private void work(int number, Random random) {
        Session session = db.open();
        ClaimRequest request = ClaimRequest.by("worker-" + number)
                .withLanes(4)
                .withEventsPerLane(3)
                .withLease(Duration.ofMillis(300));
        OutboxOperator operator = new OutboxOperator();
        while (producing.get() > 0 || !isDrained(operator, session)) {
            Claim claim = untilItHappens(() -> consumer.claim(session.dsl(), request));
            List<LaneOutcome> outcomes = new ArrayList<>();
            for (LeasedLane lane : claim.lanes()) {
                outcome(session, lane, random, outcomes);
            }
            for (LaneReport report : untilItHappens(() -> consumer.finish(session.dsl(), outcomes))) {
                report.deleted()
                        .forEach(event -> assertThat(delivered.add(event))
                                .as("event %s is deleted once", event)
                                .isTrue());
            }
            operator.lanes(session.dsl(), LaneQuery.of(LaneState.BLOCKED))
                    .forEach(lane -> operator.retryBlocked(session.dsl(), lane.lane(), lane.headId()));
        }
    }

    /** Calls again when the server chose the call to give way: then nothing happened. */
    private static <T> T untilItHappens(Supplier<T> call) {
        while (true) {
            try {
                return call.get();
            } catch (CallAgainException e) {
                Thread.onSpinWait();
            }
        }
    }

    private static boolean isDrained(OutboxOperator operator, Session session) {
        LaneTotals totals = operator.totals(session.dsl());
        return totals.ready() + totals.backingOff() + totals.leased() + totals.blocked() == 0;
    }

    /** Handles a prefix of the lane's events and decides what became of it; one in twenty lanes is left to time out. */
    private void outcome(Session session, LeasedLane lane, Random random, List<LaneOutcome> outcomes) {
        int tried = 1 + random.nextInt(lane.events().size());
        Event last = lane.events().get(tried - 1);
        int dice = random.nextInt(20);
        if (dice == 0) {
            return;
        }
        if (dice == 1) {
            outcomes.add(LaneOutcome.released(lane));
            return;
        }
        // Only the holder of a live lease may touch what stands for the outside world.
        if (consumer.extend(session.dsl(), List.of(lane.lease()), Duration.ofSeconds(20))
                .isEmpty()) {
            return;
        }
        List<EventId> seen = handled.computeIfAbsent(lane.lease().lane(), user -> new ArrayList<>());
        lane.events().subList(0, tried).stream()
                .sorted(Comparator.comparing(Event::pts))
                .map(Event::id)
                .forEach(seen::add);
        switch (dice) {
            case 2, 3 -> outcomes.add(LaneOutcome.retry(lane, last.id(), Duration.ofMillis(5), "failed"));
            case 4 -> outcomes.add(LaneOutcome.block(lane, last.id(), "poison"));
            default -> outcomes.add(LaneOutcome.deliveredThrough(lane, last.id()));
        }
    }
}
