package io.lanequeue.benchmark;

import io.lanequeue.command.Session;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.schema.TargetUserId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** B3: what a claim costs when more is waiting: more lanes, deeper lanes, one hot lane in front. */
final class ClaimGrowth implements Scenario {

    private static final int LANES = 100;
    private static final TargetUserId HOT = new TargetUserId(0);

    @Override
    public List<String> figures() {
        return List.of("B3");
    }

    @Override
    public Commits commits() {
        return Commits.NOT_AWAITED;
    }

    @Override
    public void measure(Lab lab, Results results) throws SQLException, InterruptedException {
        lanes(lab, results);
        depth(lab, results);
        hotLane(lab, results);
    }

    private static void lanes(Lab lab, Results results) throws SQLException, InterruptedException {
        int few = lab.form().of(100, 1_000, 1_000);
        int many = lab.form().of(1_000, 100_000, 1_000_000);
        try (ScratchDatabase grown = lab.database();
                ScratchDatabase small = lab.database()) {
            OutboxBacklog.fill(grown, 0, many, 1);
            OutboxBacklog.fill(small, 0, few, 1);
            List<Latencies> found = claims(lab, grown, small);
            results.add(figure("B3.lanes", "claim of %,d lanes: %,d lanes with backlog ÷ %,d", many, few, found));
        }
    }

    private static void depth(Lab lab, Results results) throws SQLException, InterruptedException {
        int lanes = lab.form().of(100, 200, 200);
        int shallow = lab.form().of(2, 10, 10);
        int deep = lab.form().of(20, 1_000, 10_000);
        try (ScratchDatabase grown = lab.database();
                ScratchDatabase small = lab.database()) {
            OutboxBacklog.fill(grown, 0, lanes, deep);
            OutboxBacklog.fill(small, 0, lanes, shallow);
            List<Latencies> found = claims(lab, grown, small);
            results.add(figure("B3.depth", "claim of %,d lanes: %,d events per lane ÷ %,d", deep, shallow, found));
        }
    }

    private static void hotLane(Lab lab, Results results) throws SQLException, InterruptedException {
        int half = lab.form().of(2_000, 100_000, 1_000_000);
        int others = half / 10;
        try (ScratchDatabase hot = lab.database();
                ScratchDatabase even = lab.database()) {
            OutboxBacklog.fill(hot, (int) HOT.value(), 1, half);
            OutboxBacklog.fill(hot, 1, others, 10);
            OutboxBacklog.fill(even, 1, others, 10);
            hot.settle();
            even.settle();
            try (var inFront = new OutboxBatches(hot.connect(), request());
                    var without = new OutboxBatches(even.connect(), request());
                    Session operator = hot.connect()) {
                var claim = new Claiming(inFront, LANES);
                Round withHotLane = () -> {
                    OutboxBacklog.moveToFront(operator, HOT);
                    return claim.nanos();
                };
                List<Latencies> found = turns(lab).measure(List.of(withHotLane, new Claiming(without, LANES)));
                results.add(Figure.ofLatencies(
                                "B3.hot",
                                "claim of %,d lanes: one lane of %,d events in front of %,d others ÷ without it"
                                        .formatted(LANES, half, half),
                                found.get(0),
                                found.get(1))
                        .atMost(1.3));
            }
        }
    }

    private static List<Latencies> claims(Lab lab, ScratchDatabase grown, ScratchDatabase small)
            throws SQLException, InterruptedException {
        grown.settle();
        small.settle();
        try (var many = new OutboxBatches(grown.connect(), request());
                var few = new OutboxBatches(small.connect(), request())) {
            return turns(lab).measure(List.of(new Claiming(many, LANES), new Claiming(few, LANES)));
        }
    }

    private static Figure figure(String id, String words, int much, int little, List<Latencies> found) {
        return Figure.ofLatencies(id, words.formatted(LANES, much, little), found.get(0), found.get(1))
                .atMost(1.3);
    }

    private static ClaimRequest request() {
        return ClaimRequest.by("benchmark").withLanes(LANES);
    }

    private static Turns turns(Lab lab) {
        return lab.form()
                .of(
                        new Turns(2, 3, Duration.ofSeconds(1)),
                        new Turns(50, 101, Duration.ofSeconds(5)),
                        new Turns(100, 500, Duration.ofSeconds(30)));
    }
}
