package io.lanequeue.benchmark;

import io.lanequeue.command.Session;
import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Workers that claim effects, work on each for some milliseconds, one after the other, and complete them. They serve
 * one big repository, and small ones that get an effect now and then.
 */
final class HandlingCrew implements AutoCloseable {

    static final String BIG = "big";
    static final int WORKERS = 8;
    static final int BATCH = 10;

    private static final int SMALL_REPOS = 25;
    private static final Duration HANDLING = Duration.ofMillis(5);
    private static final Duration ENQUEUE_EVERY = Duration.ofMillis(40);

    /** How long small effects may be left when the time is over; those that are, have waited so long at least. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final EffectProducer producer = new EffectProducer();
    private final Group<EffectBatches> workers;
    private final Session enqueuing;
    private final Team team = new Team(WORKERS + 1);
    private final AtomicLong bigOnes = new AtomicLong();
    private final AtomicInteger smallOnes = new AtomicInteger();
    private final List<Duration> waits = Collections.synchronizedList(new ArrayList<>());

    HandlingCrew(ScratchDatabase database, DispatchRequest request) throws SQLException {
        workers = Group.of(WORKERS, () -> new EffectBatches(database.connect(), request.withLimit(BATCH)));
        enqueuing = database.connect();
    }

    /** Works for a time with the big repository alone. */
    void workAlone(Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        team.together(workers(end));
    }

    /** Works for a time while effects of small repositories arrive, and until these are done. */
    void workWithSmallOnes(Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        List<Callable<Void>> jobs = workers(end);
        jobs.add(() -> enqueue(end));
        team.together(jobs);
        for (int left = smallOnes.getAndSet(0); left > 0; left--) {
            waits.add(PATIENCE);
        }
    }

    /** How many effects of the big repository were completed in time. */
    long bigOnes() {
        return bigOnes.get();
    }

    /** The longest that a small effect waited from its enqueue to its handler, by the database's clock. */
    Duration longestWait() {
        return Collections.max(waits);
    }

    private List<Callable<Void>> workers(long end) {
        List<Callable<Void>> jobs = new ArrayList<>();
        for (EffectBatches worker : workers.members()) {
            jobs.add(() -> work(worker, end));
        }
        return jobs;
    }

    private Void work(EffectBatches worker, long end) {
        while (System.nanoTime() < end || (smallOnes.get() > 0 && System.nanoTime() < end + PATIENCE.toNanos())) {
            if (worker.claim() == 0) {
                LockSupport.parkNanos(IDLE_NANOS);
                continue;
            }
            for (ClaimedEffect effect : worker.claimed()) {
                handle(effect, worker);
            }
            worker.complete();
            if (System.nanoTime() < end) {
                bigOnes.addAndGet(
                        worker.claimed().stream().filter(HandlingCrew::isBig).count());
            }
        }
        return null;
    }

    private void handle(ClaimedEffect effect, EffectBatches worker) {
        if (!isBig(effect)) {
            waits.add(Duration.between(effect.enqueuedAt(), worker.now()));
            smallOnes.decrementAndGet();
        }
        long end = System.nanoTime() + HANDLING.toNanos();
        for (long left = HANDLING.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static boolean isBig(ClaimedEffect effect) {
        return effect.repoId().value().equals(BIG);
    }

    private Void enqueue(long end) {
        Moments moments = Moments.every(ENQUEUE_EVERY);
        for (int i = 0; moments.await() < end; i++) {
            smallOnes.incrementAndGet();
            producer.enqueue(enqueuing.dsl(), NewEffect.of("small-" + i % SMALL_REPOS, "{}"));
        }
        return null;
    }

    @Override
    public void close() throws SQLException {
        team.close();
        enqueuing.close();
        workers.close();
    }
}
