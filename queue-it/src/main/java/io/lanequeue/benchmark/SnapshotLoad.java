package io.lanequeue.benchmark;

import io.lanequeue.benchmark.Curve.Point;
import io.lanequeue.benchmark.SteadyLoad.Stretch;
import io.lanequeue.benchmark.baseline.UnorderedQueue;
import io.lanequeue.command.Session;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.ClaimWindow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * B9: a steady load while a snapshot is held open throughout. Claims and completions of the last tenth of the time
 * beside those of the first, over many lanes; over few lanes and for an unordered queue only reported.
 */
final class SnapshotLoad implements Scenario {

    private static final int TENTHS = 10;
    private static final int FEW_LANES = 1_000;

    @Override
    public List<String> figures() {
        return List.of("B9");
    }

    @Override
    public void measure(Lab lab, Results results) throws SQLException, InterruptedException {
        int lanes = lab.form().of(2_000, 50_000, 50_000);
        Duration time = lab.form().of(Duration.ofSeconds(2), Duration.ofSeconds(60), Duration.ofMinutes(10));
        Duration shorter = lab.form().of(Duration.ofSeconds(2), Duration.ofSeconds(10), Duration.ofSeconds(60));

        List<Stretch> many = outbox(lab, lanes, time, ClaimWindow.standard());
        results.add(claims("B9.claim", words(lanes, time), many).atMost(2.0));
        results.add(completions("B9.complete", words(lanes, time), many).atMost(3.0));
        results.add(keptUp("B9.kept-up", words(lanes, time), many, time));
        results.claimOverTime().add(curve(lab.form(), "Lanequeue, %,d lanes".formatted(lanes), many, time));

        List<Stretch> few = outbox(lab, FEW_LANES, shorter, ClaimWindow.standard());
        results.add(claims("B9.claim.few-lanes", words(FEW_LANES, shorter), few));
        results.add(completions("B9.complete.few-lanes", words(FEW_LANES, shorter), few));
        results.claimOverTime().add(curve(lab.form(), "Lanequeue, %,d lanes".formatted(FEW_LANES), few, shorter));

        List<Stretch> full = outbox(lab, lanes, shorter, ClaimWindow.of(Duration.ZERO, Duration.ZERO));
        results.add(claims("B9.claim.full-look", "each claim from the beginning, " + words(lanes, shorter), full));
        results.claimOverTime().add(curve(lab.form(), "Lanequeue, each claim from the beginning", full, shorter));

        List<Stretch> unordered = unordered(lab, shorter);
        results.add(claims("B9.claim.unordered", "unordered queue, " + shorter.toSeconds() + " s", unordered));
        results.claimOverTime().add(curve(lab.form(), "unordered", unordered, shorter));
    }

    private static List<Stretch> outbox(Lab lab, int lanes, Duration time, ClaimWindow window)
            throws SQLException, InterruptedException {
        ClaimRequest request = ClaimRequest.by("benchmark").withLanes(SteadyLoad.BATCH);
        try (ScratchDatabase database = lab.database();
                Session producer = database.connect();
                var load = new SteadyLoad(
                        new OutboxLoad(producer, lanes, 0), new OutboxBatches(database.connect(), request, window))) {
            return underSnapshot(lab, database, load, time);
        }
    }

    private static List<Stretch> unordered(Lab lab, Duration time) throws SQLException, InterruptedException {
        try (ScratchDatabase database = lab.database();
                Connection producer = database.connection()) {
            UnorderedQueue.create(producer);
            try (var load = new SteadyLoad(
                    jobs -> UnorderedQueue.fill(producer, jobs),
                    UnorderedQueue.consumer(database.connection(), SteadyLoad.BATCH))) {
                return underSnapshot(lab, database, load, time);
            }
        }
    }

    private static List<Stretch> underSnapshot(Lab lab, ScratchDatabase database, SteadyLoad load, Duration time)
            throws SQLException, InterruptedException {
        // Compiled by then, or the first tenth would be the slow one.
        load.run(lab.form().of(Duration.ofMillis(200), Duration.ofSeconds(5), Duration.ofSeconds(10)));
        List<Stretch> tenths = new ArrayList<>();
        try (var snapshot = new HeldSnapshot(database)) {
            for (int i = 0; i < TENTHS; i++) {
                tenths.add(load.run(time.dividedBy(TENTHS)));
            }
            snapshot.look();
        }
        return tenths;
    }

    private static String words(int lanes, Duration time) {
        return "%,d events/s over %,d lanes under a held snapshot, %d s"
                .formatted(SteadyLoad.PER_SECOND, lanes, time.toSeconds());
    }

    private static Figure claims(String id, String words, List<Stretch> tenths) {
        return Figure.ofLatencies(
                id,
                "claim, last tenth ÷ first tenth: " + words,
                tenths.get(TENTHS - 1).claim(),
                tenths.get(0).claim());
    }

    private static Figure completions(String id, String words, List<Stretch> tenths) {
        return Figure.ofLatencies(
                id,
                "completion, last tenth ÷ first tenth: " + words,
                tenths.get(TENTHS - 1).complete(),
                tenths.get(0).complete());
    }

    /** Below 1, latencies are those of a queue that is falling behind. */
    private static Figure keptUp(String id, String words, List<Stretch> tenths, Duration time) {
        double seconds = time.toMillis() / (double) TimeUnit.SECONDS.toMillis(1);
        long completed = tenths.stream().mapToLong(Stretch::completed).sum();
        return Figure.ofThroughputs(id, "completed ÷ due: " + words, completed / seconds, SteadyLoad.PER_SECOND);
    }

    /** The tenths of seconds go up and down by chance, so the smoke form draws only some: the chart is smaller. */
    private static Curve curve(Form form, String name, List<Stretch> tenths, Duration time) {
        int step = form.of(3, 1, 1);
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < TENTHS; i += step) {
            double middle = time.toSeconds() * (i + 0.5) / TENTHS;
            points.add(new Point(middle, tenths.get(i).claim().median()));
        }
        return new Curve(name, points);
    }
}
