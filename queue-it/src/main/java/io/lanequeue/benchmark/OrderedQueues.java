package io.lanequeue.benchmark;

import io.lanequeue.benchmark.baseline.BatchConsumer;
import io.lanequeue.benchmark.baseline.HeadFinder;
import io.lanequeue.benchmark.baseline.OrderedQueue;
import io.lanequeue.command.Session;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.schema.TargetUserId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** Our outbox, and the table of the ordered queues without heads, with the same events. */
final class OrderedQueues implements AutoCloseable {

    static final int LANES_PER_CLAIM = 100;
    static final int PER_LANE = 20;

    private static final Duration HELD = Duration.ofHours(1);

    private final Form form;
    private final ScratchDatabase ours;
    private final ScratchDatabase others;

    /** Lanes that each of our claims begins with, as the claims of the others do by the order of their ids. */
    private final List<TargetUserId> inFront;

    private OrderedQueues(Lab lab, List<TargetUserId> inFront) throws SQLException {
        this.inFront = inFront;
        form = lab.form();
        ours = lab.database();
        others = lab.database();
        try (Connection connection = others.connection()) {
            OrderedQueue.create(connection);
        }
    }

    /** Lanes of equal depth. */
    static OrderedQueues even(Lab lab, int events) throws SQLException {
        var queues = new OrderedQueues(lab, List.of());
        queues.fill(0, events / PER_LANE, PER_LANE);
        queues.settle();
        return queues;
    }

    /** Half of the events are of one lane, the first one; after it come lanes of equal depth. */
    static OrderedQueues skewed(Lab lab, int events) throws SQLException {
        var queues = new OrderedQueues(lab, List.of(new TargetUserId(0)));
        queues.fill(0, 1, events / 2);
        queues.fill(1, events / 2 / PER_LANE, PER_LANE);
        queues.settle();
        return queues;
    }

    private void fill(int first, int lanes, int perLane) throws SQLException {
        OutboxBacklog.fill(ours, first, lanes, perLane);
        try (Connection connection = others.connection()) {
            OrderedQueue.fill(connection, first, lanes, perLane);
        }
    }

    private void settle() throws SQLException {
        ours.settle();
        others.settle();
    }

    /** Lets other workers hold so many lanes, in each queue those that come first. */
    void hold(int lanes) throws SQLException {
        var consumer = new OutboxConsumer();
        try (Session session = ours.connect();
                Connection connection = others.connection()) {
            for (int left = lanes; left > 0; left -= ClaimRequest.MAX_LANES) {
                ClaimRequest request = ClaimRequest.by("other")
                        .withLanes(Math.min(left, ClaimRequest.MAX_LANES))
                        .withLease(HELD);
                consumer.claim(session.dsl(), request);
            }
            OrderedQueue.hold(connection, lanes);
        }
        settle();
    }

    /** Measures the claim of each. */
    ClaimComparison compare(String data) throws SQLException, InterruptedException {
        Duration limit = form.of(Duration.ofSeconds(20), Duration.ofSeconds(20), Duration.ofSeconds(60));
        Turns turns = form.of(
                new Turns(2, 3, Duration.ofSeconds(1)),
                new Turns(40, 101, Duration.ofSeconds(1)),
                new Turns(100, 301, Duration.ofSeconds(6)));
        ClaimRequest request = ClaimRequest.by("benchmark").withLanes(LANES_PER_CLAIM);
        Iterator<HeadFinder> finder = List.of(HeadFinder.values()).iterator();
        try (BatchConsumer consumer = new OutboxBatches(ours.connect(), request);
                Session operator = ours.connect();
                Group<BatchConsumer> baselines = Group.of(
                        HeadFinder.values().length,
                        () -> OrderedQueue.consumer(others.connection(), finder.next(), LANES_PER_CLAIM, limit))) {
            var claim = new Claiming(consumer, LANES_PER_CLAIM);
            Round ofOurs = () -> {
                inFront.forEach(lane -> OutboxBacklog.moveToFront(operator, lane));
                return claim.nanos();
            };
            Stream<Round> ofOthers = baselines.members().stream().map(each -> new Claiming(each, LANES_PER_CLAIM));
            List<Round> rounds = Stream.concat(Stream.of(ofOurs), ofOthers).toList();
            List<Latencies> found = turns.measure(rounds);
            return new ClaimComparison(data, found.get(0), found.subList(1, found.size()));
        }
    }

    @Override
    public void close() throws SQLException {
        ours.close();
        others.close();
    }
}
