package io.lanequeue.benchmark;

import io.lanequeue.benchmark.baseline.UnorderedQueue;
import io.lanequeue.effects.DispatchRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** B8: effects of many repositories are drained under a cap, beside an unordered queue. */
final class EffectDrain implements Scenario {

    private static final int BATCH = 100;
    private static final int CAP = 20;
    private static final int PER_REPO = 50;

    @Override
    public List<String> figures() {
        return List.of("B8");
    }

    @Override
    public void measure(Lab lab, Results results) throws SQLException, InterruptedException {
        int repos = lab.form().of(20, 400, 1_000);
        int effects = repos * PER_REPO;
        Race race = lab.form().of(new Race(0, 1), new Race(4, 3), new Race(3, 5));
        DispatchRequest request =
                DispatchRequest.by("benchmark").withLimit(BATCH).withCap(CAP);
        try (ScratchDatabase ours = lab.database();
                ScratchDatabase others = lab.database()) {
            try (Connection connection = others.connection()) {
                UnorderedQueue.create(connection);
            }
            for (int number : lab.form().of(List.of(1), List.of(1), List.of(1, 2))) {
                var consumers = new Consumers(number);
                try (var effectQueue = new Contender(
                                "Lanequeue effects, capped",
                                ours,
                                () -> refill(ours, repos),
                                effects,
                                Group.of(number, () -> new EffectBatches(ours.connect(), request)));
                        var unordered = UnorderedQueues.contender(others, effects, BATCH, number)) {
                    List<Double> found = race.run(List.of(effectQueue, unordered));
                    results.add(Figure.ofThroughputs(
                                    "B8" + consumers.suffix(),
                                    "effect drain with a cap of %d ÷ unordered claim-then-delete, %,d repositories × %d, %s"
                                            .formatted(CAP, repos, PER_REPO, consumers),
                                    found.get(0),
                                    found.get(1))
                            .atLeast(0.5));
                    results.drains().add(new Bar(effectQueue.name(), consumers.toString(), found.get(0)));
                }
            }
        }
    }

    /** Without those of the last round, which are done and stay until they are pruned. */
    private static void refill(ScratchDatabase database, int repos) throws SQLException {
        database.execute("TRUNCATE lanequeue.effect_queue");
        EffectBacklog.fill(database, "repo-", repos, PER_REPO);
    }
}
