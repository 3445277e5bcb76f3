package io.lanequeue.benchmark;

import io.lanequeue.benchmark.baseline.BatchConsumer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A queue under a steady load: a producer that appends at a fixed rate, whatever the rest does, and one consumer that
 * claims at a fixed pace and completes what it got, at once again where a claim was full.
 */
final class SteadyLoad implements AutoCloseable {

    static final int PER_SECOND = 1_000;

    /** What each claim asks for. At this pace and rate a claim gets half of it, so there is room to catch up. */
    static final int BATCH = 100;

    private static final Duration CLAIM_EVERY = Duration.ofMillis(50);
    private static final Duration APPEND_EVERY = Duration.ofMillis(10);
    private static final int PER_APPEND = (int) (PER_SECOND * APPEND_EVERY.toMillis() / TimeUnit.SECONDS.toMillis(1));

    private final Producer producer;
    private final BatchConsumer consumer;
    private final Team team = new Team(2);

    SteadyLoad(Producer producer, BatchConsumer consumer) {
        this.producer = producer;
        this.consumer = consumer;
    }

    /** Appends to a queue. */
    @FunctionalInterface
    interface Producer {
        void append(int events) throws SQLException;
    }

    /**
     * What happened in a stretch of time.
     *
     * @param claim how long claims took that got something
     * @param complete how long it took to complete what they got
     * @param completed the number of events completed
     */
    record Stretch(Latencies claim, Latencies complete, long completed) {}

    /** Runs for a time. */
    Stretch run(Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        var claim = new Latencies();
        var complete = new Latencies();
        var completed = new AtomicLong();
        team.together(List.of(() -> produce(end), () -> consume(end, claim, complete, completed)));
        return new Stretch(claim, complete, completed.get());
    }

    private Void produce(long end) throws SQLException {
        Moments moments = Moments.every(APPEND_EVERY);
        while (moments.await() < end) {
            producer.append(PER_APPEND);
        }
        return null;
    }

    private Void consume(long end, Latencies claims, Latencies completes, AtomicLong completed) throws SQLException {
        Moments moments = Moments.every(CLAIM_EVERY);
        while (moments.await() < end) {
            int claimed;
            do {
                long start = System.nanoTime();
                claimed = consumer.claim();
                long between = System.nanoTime();
                if (claimed > 0) {
                    consumer.complete();
                    claims.record(between - start);
                    completes.record(System.nanoTime() - between);
                    completed.addAndGet(claimed);
                }
            } while (claimed >= BATCH && System.nanoTime() < end);
        }
        return null;
    }

    @Override
    public void close() throws SQLException {
        team.close();
        consumer.close();
    }
}
