package io.lanequeue.benchmark;

import io.lanequeue.benchmark.Contender.Filling;
import io.lanequeue.outbox.ClaimRequest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * B11: eight consumers drain one queue, beside one consumer. Counts calls that gave way to another transaction, and
 * claims that got nothing although more lanes had events than all consumers together can hold.
 */
final class ManyConsumers implements Scenario {

    private static final int MANY = 8;
    private static final int LANES_PER_CLAIM = 100;
    private static final int PER_LANE = 10;

    @Override
    public List<String> figures() {
        return List.of("B11");
    }

    @Override
    public void measure(Lab lab, Results results) throws SQLException, InterruptedException {
        int lanes = lab.form().of(300, 1_500, 5_000);
        Race race = lab.form().of(new Race(0, 1), new Race(3, 3), new Race(3, 7));
        List<WatchedConsumer> all = new ArrayList<>();
        try (ScratchDatabase database = lab.database();
                Contender many = contender(database, lanes, MANY, all);
                Contender one = contender(database, lanes, 1, all)) {
            List<Double> found = race.run(List.of(many, one));
            String shape = "%,d lanes × %d events".formatted(lanes, PER_LANE);
            results.add(Figure.ofThroughputs(
                            "B11",
                            "drain with %d consumers ÷ with 1, %s".formatted(MANY, shape),
                            found.get(0),
                            found.get(1))
                    .atLeast(1.2));
        }
        results.add(Figure.alone(
                        "B11.deadlocks",
                        "calls that gave way to another transaction, in all these drains",
                        all.stream().mapToInt(WatchedConsumer::gaveWay).sum(),
                        "calls")
                .atMost(0));
        results.add(Figure.alone(
                        "B11.empty",
                        "claims that got nothing while lanes were due, in all these drains",
                        all.stream().mapToInt(WatchedConsumer::emptyClaims).sum(),
                        "claims")
                .atMost(0));
    }

    /** @param all gets every consumer that is made */
    private static Contender contender(ScratchDatabase database, int lanes, int consumers, List<WatchedConsumer> all)
            throws SQLException {
        ClaimRequest request = ClaimRequest.by("benchmark").withLanes(LANES_PER_CLAIM);
        var live = new LiveLanes(lanes);
        Filling filling = () -> {
            OutboxBacklog.fill(database, 0, lanes, PER_LANE);
            live.refill(PER_LANE);
        };
        Group<WatchedConsumer> group = Group.of(
                consumers,
                () -> new WatchedConsumer(
                        new OutboxBatches(database.connect(), request), live, consumers * LANES_PER_CLAIM));
        all.addAll(group.members());
        return new Contender(consumers + " consumers", database, filling, lanes * PER_LANE, group);
    }
}
