package io.lanequeue.worker;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Counts what a worker tells, and lets a test wait for it. */
final class Witness implements WorkerEvents {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** What can be counted. */
    enum Happening {
        CLAIMED,
        HANDLED,
        DELIVERED,
        FAILED,
        GAVE_UP,
        RELEASED,
        LOST,
        REQUEUED,
        SHARED,
        WENT_AWAY,
        CAME_BACK
    }

    private final Lock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Happening, Integer> counts = new EnumMap<>(Happening.class);
    private int shards;

    int count(Happening happening) {
        lock.lock();
        try {
            return counts.getOrDefault(happening, 0);
        } finally {
            lock.unlock();
        }
    }

    /** Returns when that many have been told of. */
    void await(Happening happening, int count) {
        await(
                () -> counts.getOrDefault(happening, 0) >= count,
                () -> "Waited for " + count + " " + happening + ", but there are " + counts);
    }

    /** Returns when the worker has so many shards. */
    void awaitShards(int count) {
        await(() -> shards == count, () -> "Waited for " + count + " shards, but there are " + shards);
    }

    private void await(BooleanSupplier reached, Supplier<String> complaint) {
        lock.lock();
        try {
            while (!reached.getAsBoolean()) {
                if (!changed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                    throw new AssertionError(complaint.get());
                }
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            lock.unlock();
        }
    }

    private void add(Happening happening, int count) {
        lock.lock();
        try {
            counts.merge(happening, count, Integer::sum);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void claimed(int count) {
        add(Happening.CLAIMED, count);
    }

    @Override
    public void handled(Duration time) {
        add(Happening.HANDLED, 1);
    }

    @Override
    public void delivered(int count) {
        add(Happening.DELIVERED, count);
    }

    @Override
    public void failed() {
        add(Happening.FAILED, 1);
    }

    @Override
    public void gaveUp() {
        add(Happening.GAVE_UP, 1);
    }

    @Override
    public void released() {
        add(Happening.RELEASED, 1);
    }

    @Override
    public void lost() {
        add(Happening.LOST, 1);
    }

    @Override
    public void requeued(int count) {
        add(Happening.REQUEUED, count);
    }

    @Override
    public void ownsShards(int count) {
        lock.lock();
        try {
            shards = count;
            add(Happening.SHARED, 1);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void databaseWentAway() {
        add(Happening.WENT_AWAY, 1);
    }

    @Override
    public void databaseCameBack() {
        add(Happening.CAME_BACK, 1);
    }
}
