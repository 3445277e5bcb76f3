package io.lanequeue.worker;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the coordinator and the thread of a handler know of each other. Thread-safe: an interruption is sent under the
 * lock under which the thread enters and leaves, so it never reaches a thread that is at something else already.
 */
final class Handling {

    private final Lock lock = new ReentrantLock();
    private boolean settled; // guarded by lock: a thread has begun with the work, or never will
    private @Nullable Thread thread; // guarded by lock
    private volatile @Nullable Cancellation cancellation;
    private volatile boolean finishing;
    private long since; // guarded by lock

    /**
     * On the handler's thread: from here on it may be interrupted. Returns whether it may go on: not where the work was
     * taken back meanwhile, nor where the executor runs it a second time.
     */
    boolean enter() {
        lock.lock();
        try {
            if (settled) {
                return false;
            }
            settled = true;
            thread = Thread.currentThread();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the work back, if no thread has begun with it; returns whether that was so. From then on none will. */
    boolean revoke() {
        lock.lock();
        try {
            if (settled) {
                return false;
            }
            settled = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** On the handler's thread: from here on it is not, and an interruption of ours is not left behind. */
    void leave() {
        lock.lock();
        try {
            thread = null;
            if (cancellation != null) {
                Thread.interrupted();
            }
        } finally {
            lock.unlock();
        }
    }

    /** No handler is called any more, but the present one may end. */
    void finish() {
        finishing = true;
    }

    /**
     * Interrupts the handler, if it runs. The first reason stands, but for one: a lease that may be lost is no excuse
     * for a handler that then takes too long.
     */
    void cancel(Cancellation reason) {
        lock.lock();
        try {
            boolean takesTooLongBesides = cancellation == Cancellation.LEASE_LOST && reason == Cancellation.TIME_LIMIT;
            if (cancellation == null || takesTooLongBesides) {
                cancellation = reason;
                if (thread != null) {
                    thread.interrupt();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    Cancellation cancellation() {
        return cancellation;
    }

    /** It is given to the executor. */
    void handOver(long nanos) {
        lock.lock();
        try {
            since = nanos;
        } finally {
            lock.unlock();
        }
    }

    /**
     * On the handler's thread: the next handler is to be called. Returns whether it may be: not where somebody is
     * against it, who so interrupts the handler that was meant, or none.
     */
    boolean begin(long nanos) {
        lock.lock();
        try {
            boolean mayBegin = cancellation == null && !finishing;
            if (mayBegin) {
                since = nanos;
            }
            return mayBegin;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the present handler, or the wait for the executor, began at that moment or before. */
    boolean lastsSince(long nanos) {
        lock.lock();
        try {
            return since <= nanos;
        } finally {
            lock.unlock();
        }
    }

    /** Cancels the present handler if it began at that moment or before. */
    void limit(long nanos) {
        lock.lock();
        try {
            if (since <= nanos) {
                cancel(Cancellation.TIME_LIMIT);
            }
        } finally {
            lock.unlock();
        }
    }
}
