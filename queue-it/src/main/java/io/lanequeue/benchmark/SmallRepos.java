package io.lanequeue.benchmark;

import io.lanequeue.effects.DispatchRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * B14: small repositories behind a big one with a great many effects, under a cap that fits the workers: one place in
 * ten of what they take at a time is left to others. How long a small effect waits at most, and what the big repository
 * does beside being alone and without a cap.
 */
final class SmallRepos implements Scenario {

    private static final int CAP = HandlingCrew.WORKERS * (HandlingCrew.BATCH - 1);
    private static final double LONGEST_WAIT = 0.5;

    @Override
    public List<String> figures() {
        return List.of("B14");
    }

    @Override
    public void measure(Lab lab, Results results) throws SQLException, InterruptedException {
        int effects = lab.form().of(5_000, 50_000, 500_000);
        int rounds = lab.form().of(1, 2, 3);
        Duration time = lab.form().of(Duration.ofMillis(500), Duration.ofSeconds(3), Duration.ofSeconds(15));
        try (ScratchDatabase shared = lab.database();
                ScratchDatabase alone = lab.database()) {
            for (ScratchDatabase database : List.of(shared, alone)) {
                EffectBacklog.fill(database, HandlingCrew.BIG, effects);
                database.settle();
            }
            DispatchRequest request = DispatchRequest.by("benchmark");
            try (var capped = new HandlingCrew(shared, request.withCap(CAP));
                    var uncapped = new HandlingCrew(alone, request)) {
                for (int round = 0; round < rounds; round++) {
                    if (round % 2 == 0) {
                        capped.workWithSmallOnes(time);
                        uncapped.workAlone(time);
                    } else {
                        uncapped.workAlone(time);
                        capped.workWithSmallOnes(time);
                    }
                }
                double seconds = rounds * (double) time.toMillis() / TimeUnit.SECONDS.toMillis(1);
                results.add(Figure.alone(
                                "B14.wait",
                                "longest wait of an effect of a small repository behind %,d of a big one, cap %d"
                                        .formatted(effects, CAP),
                                capped.longestWait().toMillis() / (double) TimeUnit.SECONDS.toMillis(1),
                                "s")
                        .atMost(LONGEST_WAIT));
                results.add(Figure.ofThroughputs(
                                "B14.big",
                                "throughput of the big repository with small ones and the cap ÷ alone and uncapped",
                                capped.bigOnes() / seconds,
                                uncapped.bigOnes() / seconds)
                        .atLeast(0.9));
            }
        }
    }
}
