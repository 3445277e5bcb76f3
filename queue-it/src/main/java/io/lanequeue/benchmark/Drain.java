package io.lanequeue.benchmark;

import io.lanequeue.benchmark.baseline.BatchConsumer;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Empties a queue that was filled before, with several consumers at a time. */
final class Drain {

    /** While others hold what is left. */
    private static final long WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final AtomicLong left;

    private Drain(long events) {
        left = new AtomicLong(events);
    }

    /** Nanoseconds from the first claim to the last completion. */
    static long nanos(List<? extends BatchConsumer> consumers, long events) throws InterruptedException {
        var drain = new Drain(events);
        List<Callable<Void>> jobs = consumers.stream()
                .map(consumer -> (Callable<Void>) () -> drain.work(consumer))
                .toList();
        try (var team = new Team(jobs.size())) {
            long start = System.nanoTime();
            team.together(jobs);
            return System.nanoTime() - start;
        }
    }

    private Void work(BatchConsumer consumer) throws SQLException {
        while (left.get() > 0) {
            int claimed = consumer.claim();
            if (claimed > 0) {
                consumer.complete();
                left.addAndGet(-claimed);
            } else {
                LockSupport.parkNanos(WAIT_NANOS);
            }
        }
        return null;
    }
}
