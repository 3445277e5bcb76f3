package io.lanequeue.benchmark;

import io.lanequeue.benchmark.baseline.BatchConsumer;
import io.lanequeue.command.Session;
import io.lanequeue.outbox.ClaimRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * B12: how long appends take while consumers drain the same queue, beside while they drain another one. Two queues with
 * a backlog, and a producer on each, all the time: only the consumers move from one to the other.
 */
final class AppendWhileDraining implements Scenario {

    private static final int CONSUMERS = 4;
    private static final int LANES = 2_000;
    private static final int LANES_PER_CLAIM = 25;

    /** With it each consumer drains 500 events a second: a busy server, but not one that is short of processors. */
    private static final Duration CLAIM_EVERY = Duration.ofMillis(50);

    private static final Duration APPEND_EVERY = Duration.ofMillis(5);

    @Override
    public List<String> figures() {
        return List.of("B12");
    }

    @Override
    public void measure(Lab lab, Results results) throws SQLException, InterruptedException {
        int backlogPerLane = lab.form().of(2, 15, 70);
        int rounds = lab.form().of(1, 2, 4);
        Duration time = lab.form().of(Duration.ofMillis(300), Duration.ofSeconds(3), Duration.ofSeconds(10));
        var sameQueue = new Latencies();
        var otherQueue = new Latencies();
        try (ScratchDatabase appended = lab.database();
                ScratchDatabase other = lab.database();
                Session producer = appended.connect();
                Session otherProducer = other.connect();
                var team = new Team(CONSUMERS + 2)) {
            for (ScratchDatabase database : List.of(appended, other)) {
                OutboxBacklog.fill(database, 0, LANES, backlogPerLane);
                database.settle();
            }
            var load = new OutboxLoad(producer, LANES, backlogPerLane);
            var otherLoad = new OutboxLoad(otherProducer, LANES, backlogPerLane);
            try (Group<BatchConsumer> consumers = consumers(appended);
                    Group<BatchConsumer> otherConsumers = consumers(other)) {
                for (int round = -1; round < rounds; round++) {
                    boolean counts = round >= 0;
                    Latencies same = counts ? sameQueue : new Latencies();
                    Latencies another = counts ? otherQueue : new Latencies();
                    if (round % 2 == 0) {
                        run(team, load, otherLoad, consumers, time, same);
                        run(team, load, otherLoad, otherConsumers, time, another);
                    } else {
                        run(team, load, otherLoad, otherConsumers, time, another);
                        run(team, load, otherLoad, consumers, time, same);
                    }
                }
            }
        }
        String words =
                "p99 of appends, one event per transaction, while %d consumers drain the same queue ÷ another one";
        results.add(Figure.ratio(
                        "B12",
                        words.formatted(CONSUMERS),
                        Measure.of(sameQueue.p99()),
                        Measure.of(otherQueue.p99()),
                        "ms")
                .atMost(1.5));
    }

    private static Group<BatchConsumer> consumers(ScratchDatabase database) throws SQLException {
        ClaimRequest request = ClaimRequest.by("benchmark").withLanes(LANES_PER_CLAIM);
        return Group.of(CONSUMERS, () -> new OutboxBatches(database.connect(), request));
    }

    /** @param latencies gets those of the first producer, from when an append was due until it was done */
    private static void run(
            Team team,
            OutboxLoad load,
            OutboxLoad otherLoad,
            Group<BatchConsumer> consumers,
            Duration time,
            Latencies latencies)
            throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        List<Callable<Void>> jobs = new ArrayList<>();
        jobs.add(() -> append(load, end, latencies));
        jobs.add(() -> append(otherLoad, end, new Latencies()));
        for (BatchConsumer consumer : consumers.members()) {
            jobs.add(() -> drain(consumer, end));
        }
        team.together(jobs);
    }

    private static Void append(OutboxLoad load, long end, Latencies latencies) {
        Moments moments = Moments.every(APPEND_EVERY);
        for (long due = moments.await(); due < end; due = moments.await()) {
            load.append(1);
            latencies.record(System.nanoTime() - due);
        }
        return null;
    }

    private static Void drain(BatchConsumer consumer, long end) throws SQLException {
        Moments moments = Moments.every(CLAIM_EVERY);
        while (moments.await() < end) {
            if (consumer.claim() > 0) {
                consumer.complete();
            }
        }
        return null;
    }
}
