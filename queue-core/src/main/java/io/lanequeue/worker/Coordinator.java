package io.lanequeue.worker;

import io.lanequeue.worker.Source.Claimed;
import io.lanequeue.worker.Source.Found;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of a worker: one thread that reports what handlers gave back, extends what they still work on, claims as
 * much as they have room for, and waits.
 *
 * <p><b>Thread safety.</b> All state belongs to the coordinator's thread. Others reach it in three ways only: a
 * handler's thread gives its work back through the queue in {@link Hands} and rings {@link Timing#wake}; whoever stops
 * the worker sets {@link #order} and waits for {@link #end}, and {@link #isClaiming} looks at both; and
 * {@link #lookNow} sets a flag. What goes the other way, an interruption or the word to finish, goes through
 * {@link Handling}, also from whoever stops the worker, since the coordinator may be held up in a statement. So no lock
 * is held while the database is called.
 *
 * <p>Handlers never touch the database for the worker, hence outcomes of many lanes meet here and are reported in one
 * statement: the busier the worker, the larger its batches.
 */
final class Coordinator<T extends Held> {

    private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);

    /** For how long a statement for one waits for a lock, after one for many has waited in vain. */
    private static final Duration PATIENCE_ALONE = Duration.ofMillis(20);

    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);

    /** So a worker spends no more than a sixth of its time with waits for what is held up. */
    private static final int PAUSE_PER_WAIT = 5;

    private final String worker;
    private final Source<T> source;
    private final Transactions transactions;
    private final Hands<T> hands;
    private final Chores chores;
    private final Timing timing;
    private final Duration timeLimit;
    private final Audience audience;
    private final Polling polling;
    private final Outage outage;
    private final Tally tally = new Tally();
    private final Set<T> toReport = new LinkedHashSet<>();
    private long nextExtension;
    private boolean asked; // in the present round, and the database answered
    private boolean finishing; // a round has seen the order to stop

    private final AtomicReference<@Nullable Stop> order = new AtomicReference<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean lookNow;

    Coordinator(
            String worker,
            Source<T> source,
            Transactions transactions,
            Hands<T> hands,
            Chores chores,
            WorkerOptions options,
            Timing timing) {
        this.worker = worker;
        this.source = source;
        this.transactions = transactions;
        this.hands = hands;
        this.chores = chores;
        this.timing = timing;
        this.timeLimit = options.timeLimit();
        this.audience = new Audience(options.events());
        this.polling = new Polling(options.pollInterval());
        this.outage = new Outage(worker, audience);
    }

    void start() {
        new Thread(this::run, "lanequeue-" + worker).start();
    }

    /** From any thread: there may be something to claim. */
    void lookNow() {
        lookNow = true;
        timing.wake();
    }

    /** From any thread: the first order to stop stands. */
    StopReport stop(Duration deadline) {
        Stop mine = Stop.within(deadline, timing.nanos());
        Stop stop = order.compareAndSet(null, mine) ? mine : Objects.requireNonNull(order.get());
        hands.finish();
        timing.wake();
        try {
            awaitEnd(stop, deadline.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return tally.report();
    }

    /**
     * Interrupts the handlers when it is time for that: the coordinator, whose turn it is, may wait for a statement.
     */
    private void awaitEnd(Stop stop, long patience) throws InterruptedException {
        long untilInterruption = Math.max(0, stop.interruption() - timing.nanos());
        long before = Math.min(patience, untilInterruption);
        if (end.await(before, TimeUnit.NANOSECONDS) || patience < untilInterruption) {
            return;
        }
        hands.interrupt();
        end.await(patience - before, TimeUnit.NANOSECONDS);
    }

    /** From any thread: whether it will still look for something to claim. */
    boolean isClaiming() {
        return order.get() == null && end.getCount() > 0;
    }

    private void run() {
        try {
            round();
            while (!isOver()) {
                timing.awaitUntil(nextRound());
                round();
            }
        } catch (InterruptedException e) {
            LOG.warn("Worker {}: its thread was interrupted, which ends it", worker);
        } catch (RuntimeException | Error e) {
            LOG.error("Worker {} has ended; others get what it holds when its leases are over", worker, e);
            throw e;
        } finally {
            hands.interrupt();
            end.countDown();
        }
    }

    private void round() {
        takeBack();
        Stop stop = order.get();
        if (stop != null) {
            finish(stop);
        }
        endWhatTakesTooLong();
        cancelWhatMayBeLost();
        if (!outage.isPausing(timing.nanos())) {
            asked = false;
            try {
                extend(); // first: while a report waits for a lock, leases run
                report();
                if (stop == null) {
                    claim();
                    tally.left(inHand()); // it has its answer, whatever the chores have
                    doChores();
                }
                if (asked) {
                    outage.succeeded();
                }
            } catch (RuntimeException | Error e) { // for want of memory, say: a worker that ends tells nobody
                outage.failed(e, timing.nanos());
            }
        }
        tally.left(inHand());
    }

    private int inHand() {
        return hands.atWork().size() + toReport.size();
    }

    private void takeBack() {
        for (T item : hands.takeBack()) {
            if (!item.isLost()) {
                toReport.add(item);
            }
        }
    }

    private void finish(Stop stop) {
        finishing = true;
        hands.atWork().forEach(this::recalls);
        if (timing.nanos() >= stop.interruption()) {
            hands.interrupt();
        }
    }

    /** Whether the executor had not begun with it, so that it has been taken back to be released. */
    private boolean recalls(T item) {
        boolean recalled = hands.recall(item);
        if (recalled && !item.isLost()) {
            toReport.add(item);
        }
        return recalled;
    }

    /** An executor that is full, or forgets its tasks, has not tried the event: that is no failure of the handler. */
    private void endWhatTakesTooLong() {
        long longest = timing.nanos() - timeLimit.toNanos();
        hands.atWork().stream()
                .filter(item -> item.handling.lastsSince(longest))
                .filter(item -> !recalls(item))
                .forEach(item -> item.handling.limit(longest));
    }

    /** Also while the database does not answer: a handler must not go on beside the next one. */
    private void cancelWhatMayBeLost() {
        long now = timing.nanos();
        for (T item : hands.atWork()) {
            if (!item.isHeldAt(now)) {
                item.handling.cancel(Cancellation.LEASE_LOST);
            }
        }
    }

    private <R> R ask(Duration patience, Function<DSLContext, R> question) {
        try {
            R answer = transactions.patiently(patience, question);
            asked = true;
            return answer;
        } catch (HeldUpException e) {
            asked = true; // that is an answer
            throw e;
        }
    }

    /**
     * Sends a statement for all of them; where that is held up, one for each, so that one row of somebody's open
     * transaction holds up one of them. Returns those that are.
     */
    private List<T> together(List<T> items, BiConsumer<Duration, List<T>> statement) {
        try {
            statement.accept(Transactions.PATIENCE, items);
            return List.of();
        } catch (HeldUpException e) {
            return items.size() == 1 ? items : eachAlone(items, statement);
        }
    }

    private List<T> eachAlone(List<T> items, BiConsumer<Duration, List<T>> statement) {
        List<T> heldUp = new ArrayList<>();
        for (T item : items) {
            try {
                statement.accept(PATIENCE_ALONE, List.of(item));
            } catch (HeldUpException e) {
                heldUp.add(item);
            }
        }
        return heldUp;
    }

    /** Lets what is held up be, the longer the more time was spent with waits for it. */
    private void pause(List<T> heldUp, long begin) {
        long now = timing.nanos();
        long until = now + Math.max(SHORTEST_PAUSE.toNanos(), PAUSE_PER_WAIT * (now - begin));
        for (T item : heldUp) {
            LOG.debug("Worker {}: {} is held up by somebody's transaction", worker, item);
            item.pauseUntil(until);
        }
    }

    private void report() {
        long now = timing.nanos();
        List<T> again = toReport.stream().filter(item -> item.isDueAgainAt(now)).toList();
        List<T> fresh = toReport.stream().filter(item -> !item.isHeldUp()).toList();
        List<T> heldUp = new ArrayList<>();
        for (List<T> ended : source.statements(fresh)) {
            if (!ended.isEmpty()) {
                heldUp.addAll(together(ended, this::report));
            }
        }
        heldUp.addAll(eachAlone(again, this::report));
        pause(heldUp, now);
    }

    private void report(Duration patience, List<T> ended) {
        Map<T, Settlement> settlements = ask(patience, transaction -> source.report(transaction, ended));
        ended.forEach(toReport::remove);
        settlements.forEach(this::settled);
    }

    private void settled(T item, Settlement settlement) {
        if (order.get() != null) {
            tally.count(settlement.ending());
        }
        if (settlement.delivered() > 0) {
            audience.tell(events -> events.delivered(settlement.delivered()));
        }
        if (!item.isUntried()) {
            // What comes behind, in the lane or in the repository, may be claimable now.
            polling.lookAgain(timing.nanos());
        }
        switch (settlement.ending()) {
            case DELIVERED -> {}
            case FAILED -> {
                log(() -> LOG.debug("Worker {}: {} failed and is tried again", worker, item, item.failure()));
                audience.tell(WorkerEvents::failed);
            }
            case GIVEN_UP -> {
                log(() -> LOG.warn("Worker {}: {} failed and is not tried again", worker, item, item.failure()));
                audience.tell(WorkerEvents::gaveUp);
            }
            case RELEASED -> audience.tell(WorkerEvents::released);
            case LOST -> lost(item);
        }
    }

    /** The log prints what the handler threw, and that may throw in its turn. */
    private void log(Runnable line) {
        try {
            line.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("Worker {}: a handler's failure cannot be logged, it throws {}", worker, e.getClass());
        }
    }

    private void lost(T item) {
        LOG.warn("Worker {}: {} was lost to another worker, or its report was not answered", worker, item);
        audience.tell(WorkerEvents::lost);
    }

    /** Counted once, however often it is noticed; what its handler gives back later is not reported. */
    private void lose(T item) {
        if (!item.isLost()) {
            settled(item, new Settlement(Ending.LOST, 0));
            item.lose();
            recalls(item);
            toReport.remove(item);
        }
    }

    private void extend() {
        long now = timing.nanos();
        List<T> again = waitedFor().filter(item -> item.isDueAgainAt(now)).toList();
        List<T> heldUp = new ArrayList<>();
        if (now >= nextExtension) {
            List<T> held = waitedFor().filter(item -> !item.isHeldUp()).toList();
            if (!held.isEmpty()) {
                heldUp.addAll(together(held, this::extend));
            }
            // Where the report is held up, the claim is to last until it is not. Alone: it may be held up as well.
            eachAlone(toReport.stream().filter(Held::isHeldUp).toList(), this::extend);
            extendLaterThan(now);
        }
        heldUp.addAll(eachAlone(again, this::extend));
        pause(heldUp, now);
    }

    private Stream<T> waitedFor() {
        return hands.atWork().stream().filter(Held::isWaitedFor);
    }

    private void extend(Duration patience, List<T> held) {
        long now = timing.nanos();
        Set<T> lost = ask(patience, transaction -> source.extend(transaction, held));
        for (T item : held) {
            if (lost.contains(item)) {
                lose(item);
            } else {
                item.heldUntil(now + source.lease().toNanos());
                if (!toReport.contains(item)) {
                    item.goOn();
                }
            }
        }
    }

    /** Early enough for two more tries. */
    private void extendLaterThan(long now) {
        nextExtension = now + source.lease().dividedBy(3).toNanos();
    }

    private void claim() {
        if (lookNow) {
            lookNow = false;
            polling.lookAgain(timing.nanos());
        }
        long now = timing.nanos();
        int free = hands.free();
        if (free == 0 || !polling.isDue(now) || isIdleUntilLater(now)) {
            return;
        }
        if (inHand() == 0) {
            extendLaterThan(now);
        }
        // Before the look at the order: so whoever stops the worker now prevents the claim, or is told that it is open.
        tally.left(inHand() + 1);
        if (order.get() != null) {
            return;
        }
        Claimed<T> claimed = claimUpTo(free);
        asked = true;
        if (claimed.found() == Found.NOTHING) {
            polling.foundNothing(now);
            return;
        }
        polling.lookAgain(now);
        take(claimed.items(), now);
    }

    private Claimed<T> claimUpTo(int limit) {
        try {
            return source.claim(transactions, limit);
        } catch (HeldUpException e) {
            LOG.debug("Worker {}: its claim is held up by somebody's transaction", worker, e);
            return new Claimed<>(List.of(), Found.NOTHING);
        }
    }

    /** After a while without work: a look at the clock of what waits costs less than a claim. */
    private boolean isIdleUntilLater(long now) {
        if (!polling.isIdle()) {
            return false;
        }
        Optional<Duration> untilDue = transactions.call(source::untilDue); // locks nothing, so one statement will do
        asked = true;
        if (untilDue.isPresent() && untilDue.get().isZero()) {
            return false;
        }
        untilDue.ifPresentOrElse(time -> polling.foundNothing(now, time), () -> polling.foundNothing(now));
        return true;
    }

    private void take(List<T> items, long claimedAt) {
        if (!items.isEmpty()) {
            audience.tell(events -> events.claimed(items.size()));
        }
        for (T item : items) {
            item.heldUntil(claimedAt + source.lease().toNanos());
            // A claim that this very worker made ends the lease of an earlier one, whose report would come beside its
            // own.
            hands.atWorkOn(item.subject()).ifPresent(this::lose);
        }
        if (order.get() == null) {
            start(items, claimedAt);
        } else {
            giveBack(items);
        }
    }

    /** Ordered to stop while the claim was open; in the same round, for the deadline may be over. */
    private void giveBack(List<T> items) {
        items.forEach(Held::release);
        toReport.addAll(items);
        report();
    }

    private void start(List<T> items, long claimedAt) {
        for (T item : items) {
            if (!hands.start(item)) {
                polling.foundNothing(claimedAt);
            }
        }
    }

    private void doChores() {
        long now = timing.nanos();
        if (now >= chores.next()) {
            chores.run(now);
            asked = true;
        }
    }

    private boolean isOver() {
        Stop stop = order.get();
        boolean nothingLeft = hands.areEmpty() && toReport.isEmpty();
        return stop != null && (nothingLeft || finishing && timing.nanos() >= stop.end());
    }

    private long nextPauseEnd() {
        return Stream.concat(toReport.stream(), waitedFor())
                .filter(Held::isHeldUp)
                .mapToLong(Held::pauseEnd)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private long nextRound() {
        long now = timing.nanos();
        Stop stop = order.get();
        long next = Long.MAX_VALUE;
        if (outage.isPausing(now)) {
            next = hands.atWork().stream()
                    .mapToLong(Held::heldUntil)
                    .filter(end -> end > now)
                    .min()
                    .orElse(next);
            next = Math.min(next, outage.until());
        } else {
            if (inHand() > 0) {
                next = Math.min(next, nextExtension);
            }
            next = Math.min(next, nextPauseEnd());
            if (stop == null) {
                next = Math.min(next, chores.next());
                next = hands.free() > 0 ? Math.min(next, polling.nextLook()) : next;
            }
        }
        if (stop != null) {
            next = Math.min(next, now < stop.interruption() ? stop.interruption() : stop.end());
        }
        return next;
    }
}
