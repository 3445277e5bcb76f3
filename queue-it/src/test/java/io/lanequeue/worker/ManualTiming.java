package io.lanequeue.worker;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** A worker's time that stands still until the test lets it pass. */
final class ManualTiming implements Timing {

    private static final long NOBODY = -1;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Lock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long now;
    private boolean woken;
    private long awaited = NOBODY;
    private int waits;

    @Override
    public long nanos() {
        lock.lock();
        try {
            return now;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void awaitUntil(long nanos) throws InterruptedException {
        lock.lock();
        try {
            awaited = nanos;
            waits++;
            changed.signalAll();
            while (!woken && now < nanos) {
                changed.await();
            }
            woken = false;
            awaited = NOBODY;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns when the worker waits, with nothing left to do at this moment. */
    void awaitWaiting() {
        lock.lock();
        try {
            untilWaiting();
        } finally {
            lock.unlock();
        }
    }

    /** When the worker waits, does what wakes it; returns when it waits again. */
    void awaitWaitingAgainAfter(Runnable wakening) {
        lock.lock();
        try {
            untilWaiting();
            int before = waits;
            wakening.run();
            while (waits == before) {
                untilChanged();
            }
            untilWaiting();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            lock.unlock();
        }
    }

    /** Lets so much time pass, at once. */
    void jump(Duration time) {
        lock.lock();
        try {
            now += time.toNanos();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** When the worker waits, lets exactly so much time pass as it waits for; returns how much. */
    Duration skipWait() {
        lock.lock();
        try {
            untilWaiting();
            Duration skipped = Duration.ofNanos(awaited - now);
            now = awaited;
            changed.signalAll();
            return skipped;
        } finally {
            lock.unlock();
        }
    }

    /** When the worker waits, lets so much time pass; returns when it has done what that brought about. */
    void pass(Duration time) {
        lock.lock();
        try {
            untilWaiting();
            long end = now + time.toNanos();
            while (awaited <= end) {
                now = Math.max(now, awaited);
                changed.signalAll();
                awaited = NOBODY;
                untilWaiting();
            }
            now = end;
        } finally {
            lock.unlock();
        }
    }

    private void untilWaiting() {
        try {
            while (awaited == NOBODY || woken || now >= awaited) {
                untilChanged();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void untilChanged() throws InterruptedException {
        if (!changed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("The worker does not come to wait");
        }
    }
}
