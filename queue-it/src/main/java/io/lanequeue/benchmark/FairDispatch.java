package io.lanequeue.benchmark;

import io.lanequeue.benchmark.baseline.BatchConsumer;
import io.lanequeue.benchmark.baseline.ExclusionQueue;
import io.lanequeue.command.Session;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.RepoClaimRequest;
import io.lanequeue.schema.RepoId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * B5: the dispatcher's claim with a great many older effects of one repository that is excluded, or at its cap, beside
 * the same claim without them, and beside the claim of a queue that passes over them one by one.
 */
final class FairDispatch implements Scenario {

    private static final int LIMIT = 100;
    private static final int CAP = 10;
    private static final int PER_REPO = 100;
    private static final String BIG = "big";
    private static final String OTHERS = "repo-";

    @Override
    public List<String> figures() {
        return List.of("B5");
    }

    @Override
    public Commits commits() {
        return Commits.NOT_AWAITED;
    }

    @Override
    public void measure(Lab lab, Results results) throws SQLException, InterruptedException {
        int older = lab.form().of(1_000, 100_000, 1_000_000);
        int repos = lab.form().of(20, 200, 1_000);
        Turns turns = lab.form()
                .of(
                        new Turns(2, 3, Duration.ofSeconds(1)),
                        new Turns(20, 41, Duration.ofSeconds(2)),
                        new Turns(30, 100, Duration.ofSeconds(20)));
        DispatchRequest excluding =
                DispatchRequest.by("benchmark").withLimit(LIMIT).excluding(Set.of(new RepoId(BIG)));
        DispatchRequest capped =
                DispatchRequest.by("benchmark").withLimit(LIMIT).withCap(CAP);
        try (ScratchDatabase crowded = lab.database();
                ScratchDatabase empty = lab.database();
                ScratchDatabase plain = lab.database()) {
            EffectBacklog.fill(crowded, BIG, older);
            EffectBacklog.fill(crowded, OTHERS, repos, PER_REPO);
            EffectBacklog.fill(empty, OTHERS, repos, PER_REPO);
            reachCap(crowded);
            try (Connection connection = plain.connection()) {
                ExclusionQueue.create(connection);
                ExclusionQueue.fill(connection, BIG, older);
                ExclusionQueue.fill(connection, OTHERS, repos, PER_REPO);
            }
            for (ScratchDatabase database : List.of(crowded, empty, plain)) {
                database.settle();
            }
            try (BatchConsumer excludingCrowded = new EffectBatches(crowded.connect(), excluding);
                    BatchConsumer excludingEmpty = new EffectBatches(empty.connect(), excluding);
                    BatchConsumer cappedCrowded = new EffectBatches(crowded.connect(), capped);
                    BatchConsumer cappedEmpty = new EffectBatches(empty.connect(), capped);
                    BatchConsumer plainExclusion = ExclusionQueue.consumer(plain.connection(), List.of(BIG), LIMIT)) {
                List<Latencies> found = turns.measure(List.of(
                        new Claiming(excludingCrowded, LIMIT),
                        new Claiming(excludingEmpty, LIMIT),
                        new Claiming(cappedCrowded, LIMIT),
                        new Claiming(cappedEmpty, LIMIT),
                        new Claiming(plainExclusion, LIMIT)));
                String words = "dispatch of %,d effects: %,d older ones of %s repository ÷ without them";
                results.add(Figure.ofLatencies(
                                "B5.excluded", words.formatted(LIMIT, older, "an excluded"), found.get(0), found.get(1))
                        .atMost(1.3));
                results.add(Figure.ofLatencies(
                                "B5.capped", words.formatted(LIMIT, older, "a capped"), found.get(2), found.get(3))
                        .atMost(1.3));
                results.add(Figure.speedup(
                                "B5.speedup",
                                "plain exclusion query ÷ dispatch, both with %,d older effects".formatted(older),
                                found.get(0),
                                found.get(4))
                        .atLeast(50));
            }
        }
    }

    /** As many effects of the big repository are in flight as the cap allows. */
    private static void reachCap(ScratchDatabase database) throws SQLException {
        try (Session session = database.connect()) {
            new EffectConsumer().claim(session.dsl(), new RepoClaimRequest(new RepoId(BIG), "other", CAP));
        }
    }
}
