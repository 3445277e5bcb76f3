package io.lanequeue.benchmark;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Drains of several queues, in turn.
 *
 * @param warmUp rounds that are not counted
 * @param rounds rounds that are
 */
record Race(int warmUp, int rounds) {

    /** Nobody is left out. */
    private static final Duration LIMIT = Duration.ofHours(1);

    private static final double MILLIS = TimeUnit.SECONDS.toMillis(1);

    /** The median events per second of each, in their order. */
    List<Double> run(List<Contender> contenders) throws SQLException, InterruptedException {
        List<Latencies> times = new Turns(warmUp, rounds, LIMIT).measure(contenders);
        return IntStream.range(0, contenders.size())
                .mapToObj(
                        i -> contenders.get(i).events() * MILLIS / times.get(i).median())
                .toList();
    }
}
