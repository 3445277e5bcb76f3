package io.lanequeue.benchmark;

import io.lanequeue.benchmark.Contender.Filling;
import io.lanequeue.benchmark.baseline.HeadFinder;
import io.lanequeue.benchmark.baseline.OrderedQueue;
import io.lanequeue.benchmark.baseline.Payload;
import io.lanequeue.benchmark.baseline.UnorderedQueue;
import io.lanequeue.command.Session;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * B6 and B7: a backlog is drained in order, one event per lane and claim (B6) or up to twenty (B7), beside an unordered
 * queue. Also with few deep lanes, there beside ordered queues without heads too, and with events that were appended
 * ten of a lane in one call. Each of our drains checks its order.
 */
final class OrderedDrain implements Scenario {

    private static final int BATCH = 100;
    private static final int LANE_BATCH = 20;
    private static final int KEYS = 1_000;
    private static final int BULK = 10;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @Override
    public List<String> figures() {
        return List.of("B6", "B7");
    }

    @Override
    public void measure(Lab lab, Results results) throws SQLException, InterruptedException {
        try (ScratchDatabase ours = lab.database();
                ScratchDatabase others = lab.database()) {
            try (Connection connection = others.connection()) {
                UnorderedQueue.create(connection);
                OrderedQueue.create(connection);
            }
            for (int consumers : lab.form().of(List.of(1), List.of(1), List.of(1, 2))) {
                manyLanes(lab, ours, others, new Consumers(consumers), results);
            }
            deepLanes(lab, ours, others, results);
        }
    }

    private static void manyLanes(
            Lab lab, ScratchDatabase ours, ScratchDatabase others, Consumers consumers, Results results)
            throws SQLException, InterruptedException {
        int lanes = lab.form().of(100, 1_000, 2_500);
        int events = lanes * LANE_BATCH;
        Race race = lab.form().of(new Race(0, 1), new Race(4, 3), new Race(3, 5));
        Filling filling = () -> OutboxBacklog.fill(ours, 0, lanes, LANE_BATCH);
        try (Contender single = ours(ours, filling, lanes, LANE_BATCH, 1, consumers.number());
                Contender batched = ours(ours, filling, lanes, LANE_BATCH, LANE_BATCH, consumers.number());
                Contender unordered = UnorderedQueues.contender(others, events, BATCH, consumers.number());
                Contender large = UnorderedQueues.contender(others, events, BATCH * LANE_BATCH, consumers.number())) {
            List<Double> found = race.run(List.of(single, batched, unordered, large));
            String suffix = consumers.suffix();
            String shape = "%,d lanes × %d events, %s".formatted(lanes, LANE_BATCH, consumers);
            add(results, "B6" + suffix, "one event per lane", shape, found.get(0), found.get(2), 0.5);
            add(results, "B7" + suffix, "up to 20 events per lane", shape, found.get(1), found.get(2), 1.0);
            results.add(Figure.ofThroughputs(
                    "B7.same-batch" + suffix,
                    "ordered drain, up to 20 events per lane ÷ unordered in batches of %,d, %s"
                            .formatted(BATCH * LANE_BATCH, shape),
                    found.get(1),
                    found.get(3)));
        }
    }

    private static void deepLanes(Lab lab, ScratchDatabase ours, ScratchDatabase others, Results results)
            throws SQLException, InterruptedException {
        int lanes = lab.form().of(100, 400, KEYS);
        int perLane = lab.form().of(BULK, 50, 50);
        int events = lanes * perLane;
        Race race = lab.form().of(new Race(0, 1), new Race(1, 1), new Race(1, 3));
        Filling filling = () -> OutboxBacklog.fill(ours, 0, lanes, perLane);
        Filling bulkCalls = () -> appendInBulk(ours, lanes, perLane);
        Iterator<HeadFinder> finders = List.of(HeadFinder.values()).iterator();
        try (Contender single = ours(ours, filling, lanes, perLane, 1, 1);
                Contender batched = ours(ours, filling, lanes, perLane, LANE_BATCH, 1);
                Contender unordered = UnorderedQueues.contender(others, events, BATCH, 1);
                Contender singleBulk = ours(ours, bulkCalls, lanes, perLane, 1, 1);
                Contender batchedBulk = ours(ours, bulkCalls, lanes, perLane, LANE_BATCH, 1);
                Group<Contender> ordered =
                        Group.of(HeadFinder.values().length, () -> ordered(others, lanes, perLane, finders.next()))) {
            List<Contender> contenders = new ArrayList<>(List.of(single, batched, unordered));
            contenders.addAll(ordered.members());
            List<Contender> all = new ArrayList<>(contenders);
            all.addAll(List.of(singleBulk, batchedBulk));
            List<Double> found = race.run(all);
            String shape = "%,d lanes × %d events, %s".formatted(lanes, perLane, new Consumers(1));
            String bulk = "appended ten of a lane in one call, " + shape;
            double baseline = found.get(2);
            add(results, "B6.keys", "one event per lane", shape, found.get(0), baseline, 0.5);
            add(results, "B7.keys", "up to 20 events per lane", shape, found.get(1), baseline, 1.0);
            add(results, "B6.bulk", "one event per lane", bulk, found.get(all.size() - 2), baseline, 0.5);
            add(results, "B7.bulk", "up to 20 events per lane", bulk, found.get(all.size() - 1), baseline, 1.0);
            for (int i = 3; i < contenders.size(); i++) {
                results.add(Figure.ofThroughputs(
                        "B6.keys." + HeadFinder.values()[i - 3].id(),
                        "ordered drain, one event per lane ÷ %s, %s"
                                .formatted(contenders.get(i).name(), shape),
                        found.get(0),
                        found.get(i)));
            }
            for (int i = 0; i < contenders.size(); i++) {
                results.drains().add(new Bar(contenders.get(i).name(), new Consumers(1).toString(), found.get(i)));
            }
        }
    }

    private static void add(
            Results results, String id, String how, String shape, double ours, double baseline, double target) {
        results.add(Figure.ofThroughputs(
                        id, "ordered drain, %s ÷ unordered claim-then-delete, %s".formatted(how, shape), ours, baseline)
                .atLeast(target));
    }

    /** @param atATime how many events a claim takes of a lane at most */
    private static Contender ours(
            ScratchDatabase database, Filling filling, int lanes, int perLane, int atATime, int number)
            throws SQLException {
        ClaimRequest request = ClaimRequest.by("benchmark").withLanes(BATCH).withEventsPerLane(atATime);
        var order = new DeliveryOrder(lanes);
        Filling fillingAnew = () -> {
            filling.fill();
            order.restart();
        };
        String name = atATime == 1 ? "Lanequeue, one event per lane" : "Lanequeue, up to 20 per lane";
        return new Contender(
                name,
                database,
                fillingAnew,
                lanes * perLane,
                Group.of(number, () -> new OutboxBatches(database.connect(), request, order)));
    }

    private static Contender ordered(ScratchDatabase database, int lanes, int perLane, HeadFinder finder)
            throws SQLException {
        Filling filling = () -> {
            try (Connection connection = database.connection()) {
                OrderedQueue.fill(connection, 0, lanes, perLane);
            }
        };
        return new Contender(
                finder.toString(),
                database,
                filling,
                lanes * perLane,
                Group.of(1, () -> OrderedQueue.consumer(database.connection(), finder, BATCH, LIMIT)));
    }

    /** Events of one call have the same place in their lane, so that only the order of the call orders them. */
    private static void appendInBulk(ScratchDatabase database, int lanes, int perLane) throws SQLException {
        var producer = new OutboxProducer();
        try (Session session = database.connect()) {
            // One commit: it is the calls that count here, and nobody reads meanwhile.
            session.connection().setAutoCommit(false);
            for (int call = 0; call < perLane / BULK; call++) {
                int pts = call;
                for (int i = 0; i < lanes; i++) {
                    int lane = i;
                    producer.appendAll(
                            session.dsl(),
                            IntStream.range(0, BULK)
                                    .mapToObj(n -> NewEvent.of(
                                            lane, pts, OutboxBacklog.EVENT_TYPE, Payload.of(pts * BULK + n)))
                                    .toList());
                }
            }
            session.connection().commit();
        }
    }
}
