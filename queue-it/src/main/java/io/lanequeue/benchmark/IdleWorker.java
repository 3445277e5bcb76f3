package io.lanequeue.benchmark;

import io.lanequeue.command.Stopwatch;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.worker.EffectWorker;
import io.lanequeue.worker.OutboxWorker;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;

/** W1: how many statements a worker sends that has nothing to do, with the standard poll interval. */
final class IdleWorker implements Scenario {

    private static final double MINUTE = TimeUnit.MINUTES.toNanos(1);

    /** There is nothing to hand over. */
    private static final Executor NO_THREADS = handler -> {
        throw new IllegalStateException("The queue is not empty");
    };

    @Override
    public List<String> figures() {
        return List.of("W1");
    }

    @Override
    public void measure(Lab lab, Results results) throws SQLException, InterruptedException {
        int workers = lab.form().of(1, 8, 8);
        // Twice what it takes at most until the pauses have their full length.
        Duration untilIdle = lab.form().of(Duration.ZERO, Duration.ofSeconds(4), Duration.ofSeconds(4));
        Duration time = lab.form().of(Duration.ofMillis(500), Duration.ofSeconds(4), Duration.ofSeconds(20));
        try (ScratchDatabase database = lab.database();
                var outbox = new CountedWorkers(database, workers, IdleWorker::deliver);
                var effects = new CountedWorkers(database, workers, IdleWorker::work)) {
            TimeUnit.NANOSECONDS.sleep(untilIdle.toNanos());
            outbox.restart();
            effects.restart();
            var stopwatch = new Stopwatch();
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
            double minutes = stopwatch.elapsed().toNanos() / MINUTE;
            String words = "statements of an idle %s in a minute, without BEGIN and COMMIT";
            results.add(
                    Figure.alone("W1.outbox", words.formatted("OutboxWorker"), outbox.restart() / minutes, "1/min"));
            results.add(
                    Figure.alone("W1.effects", words.formatted("EffectWorker"), effects.restart() / minutes, "1/min"));
        }
    }

    private static OutboxWorker deliver(DSLContext dsl) {
        return OutboxWorker.on(dsl, ClaimRequest.by("benchmark")).start(NO_THREADS, (event, attempt) -> {});
    }

    private static EffectWorker work(DSLContext dsl) {
        return EffectWorker.on(dsl, DispatchRequest.by("benchmark")).start(NO_THREADS, (effect, attempt) -> {});
    }
}
