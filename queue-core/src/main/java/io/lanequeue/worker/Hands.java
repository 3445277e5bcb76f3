package io.lanequeue.worker;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a worker has in hand.
 *
 * <p><b>Thread safety.</b> All of it belongs to the coordinator's thread, except two things. Through the queue of what
 * has come back a thread of the executor gives a {@link Held} back, with all that it wrote. And {@link #finish} and
 * {@link #interrupt} are for whoever stops the worker: they go through what is at work and touch no more of it than its
 * {@link Handling}.
 */
final class Hands<T extends Held> {

    private static final Logger LOG = LoggerFactory.getLogger(Hands.class);

    private final int slots;
    private final Executor executor;
    private final Timing timing;
    private final Map<Object, T> atWork = new ConcurrentHashMap<>();
    private final Queue<T> back = new ConcurrentLinkedQueue<>();
    private volatile boolean finishing;

    Hands(int slots, Executor executor, Timing timing) {
        this.slots = slots;
        this.executor = executor;
        this.timing = timing;
    }

    /** How many more can be worked on. A handler that hangs keeps its slot, as it keeps its thread. */
    int free() {
        return slots - atWork.size();
    }

    boolean areEmpty() {
        return atWork.isEmpty() && back.isEmpty();
    }

    /** What the handlers have not given back yet. While it is gone through, something may be recalled. */
    Collection<T> atWork() {
        return atWork.values();
    }

    /** What the handlers have not given back yet of this lane or effect. */
    Optional<T> atWorkOn(Object subject) {
        return Optional.ofNullable(atWork.get(subject));
    }

    /**
     * Starts work; whether the executor took it. What is not started comes back at once. An executor may take it and
     * throw all the same, such as a pool that has it in its queue and can make no thread; so what it took is what a
     * thread has begun with, and what none has is taken back from it.
     */
    boolean start(T item) {
        if (atWork.containsKey(item.subject())) {
            // Its lease was lost, and it was claimed again by this very worker: no two threads side by side.
            item.refuse("An earlier handler of it, whose lease was lost, has not returned");
            giveBack(item);
            return true;
        }
        atWork.put(item.subject(), item);
        if (finishing) { // looked at after the put, as finish() sets it before it goes through them: none slips through
            item.handling.finish();
        }
        item.handling.handOver(timing.nanos());
        try {
            executor.execute(() -> work(item));
            return true;
        } catch (RuntimeException | Error e) { // a RejectedExecutionException, or that there are no threads any more
            if (!item.handling.revoke()) {
                LOG.warn("The executor failed after it had begun with {}, which goes on", item, e);
                return true;
            }
            item.release();
            giveBack(item);
            LOG.warn("The executor refuses work; {} is given back", item, e);
            return false;
        }
    }

    /** From any thread: of what is at work, now or later, no further handler is called. */
    void finish() {
        finishing = true;
        atWork.values().forEach(item -> item.handling.finish());
    }

    /** From any thread: interrupts the handlers that run. */
    void interrupt() {
        atWork.values().forEach(item -> item.handling.cancel(Cancellation.STOPPING));
    }

    private void work(T item) {
        if (!item.handling.enter()) {
            return;
        }
        try {
            item.handle();
        } finally {
            item.handling.leave();
            giveBack(item);
        }
    }

    /**
     * Takes it back untried, if no thread has begun with it; returns whether that was so. Its slot is free again, since
     * the executor, should it still have the task, can do nothing with it.
     */
    boolean recall(T item) {
        if (!item.handling.revoke()) {
            return false;
        }
        item.release();
        atWork.remove(item.subject(), item);
        return true;
    }

    private void giveBack(T item) {
        back.add(item);
        timing.wake();
    }

    /** What has come back since the last call. */
    List<T> takeBack() {
        List<T> items = new ArrayList<>();
        for (T item = back.poll(); item != null; item = back.poll()) {
            atWork.remove(item.subject(), item);
            items.add(item);
        }
        return items;
    }
}
