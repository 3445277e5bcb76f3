package io.lanequeue.demo;

import static io.lanequeue.demo.EffectTables.ATTEMPT;
import static io.lanequeue.demo.EffectTables.ATTEMPTS;
import static io.lanequeue.demo.EffectTables.ATTEMPT_CLAIMED_AT;
import static io.lanequeue.demo.EffectTables.ATTEMPT_DISPATCHER;
import static io.lanequeue.demo.EffectTables.ATTEMPT_EFFECT;
import static io.lanequeue.demo.EffectTables.ATTEMPT_ENQUEUED_AT;
import static io.lanequeue.demo.EffectTables.ATTEMPT_HANDLED;
import static io.lanequeue.demo.EffectTables.ATTEMPT_REPO;

import io.lanequeue.command.Again;
import io.lanequeue.command.Session;
import io.lanequeue.command.Stopwatch;
import io.lanequeue.effects.Backoff;
import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectClaim;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectReport;
import io.lanequeue.effects.EffectRetry;
import io.lanequeue.effects.EffectUpkeep;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jooq.DSLContext;

/**
 * Claims effects of all repositories, does them, and reports the outcome. To do one means to write a row that commits
 * on its own, before the report, as a call to the outside would take effect. Some fail at the first attempt.
 */
final class Dispatcher {

    /** Short, so that the claims of a dispatcher that dies are soon back. */
    private static final Duration STALE = Duration.ofSeconds(2);

    private static final Duration UPKEEP_INTERVAL = Duration.ofMillis(500);
    private static final int BATCH = 100;
    private static final int MAX_ATTEMPTS = 5;
    private static final int MAX_REQUEUED = 1_000;
    private static final int ONE_FAILS_OF = 250;
    private static final long IDLE_MILLIS = 5;
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(2));

    private final EffectConsumer consumer = new EffectConsumer();
    private final EffectUpkeep upkeep = new EffectUpkeep();
    private final Random random = new Random();
    private final DemoDatabase database;
    private final EffectTally tally;
    private final DispatchRequest request;
    private final CountDownLatch stop;

    Dispatcher(DemoDatabase database, EffectTally tally, String name, int cap, CountDownLatch stop) {
        this.database = database;
        this.tally = tally;
        this.request = DispatchRequest.by(name).withLimit(BATCH).withCap(cap);
        this.stop = stop;
    }

    /**
     * Works until stopped, and sees to the upkeep; where {@code pause} holds, it waits until {@code goOn} is opened.
     */
    Void work(BooleanSupplier pause, CountDownLatch goOn) throws InterruptedException {
        try (Session session = database.connect()) {
            var sinceUpkeep = new Stopwatch();
            while (stop.getCount() > 0) {
                handle(session.dsl(), claim(session.dsl()));
                if (sinceUpkeep.elapsed().compareTo(UPKEEP_INTERVAL) > 0) {
                    requeueStale(session.dsl());
                    sinceUpkeep = new Stopwatch();
                }
                if (pause.getAsBoolean()) {
                    goOn.await();
                }
            }
        }
        return null;
    }

    /**
     * Works until {@code end} holds and it has claimed effects of the big repository. Of these, and what it claimed
     * with them, it does half and dies: its connection ends, nothing is reported. Opens {@code died} then.
     */
    Void workAndDie(BooleanSupplier end, CountDownLatch died) throws InterruptedException {
        try (Session session = database.connect()) {
            while (stop.getCount() > 0) {
                List<ClaimedEffect> claimed = claim(session.dsl());
                if (end.getAsBoolean() && claimed.stream().anyMatch(Dispatcher::isOfMonorepo)) {
                    int half = claimed.size() / 2;
                    record(session.dsl(), claimed.subList(0, half), true);
                    record(session.dsl(), claimed.subList(half, claimed.size()), false);
                    tally.claimsLeftBehind().addAndGet(claimed.size());
                    break;
                }
                handle(session.dsl(), claimed);
            }
        } finally {
            died.countDown();
        }
        return null;
    }

    private void handle(DSLContext dsl, List<ClaimedEffect> claimed) {
        List<ClaimedEffect> failing = claimed.stream().filter(Dispatcher::fails).toList();
        List<ClaimedEffect> done =
                claimed.stream().filter(effect -> !fails(effect)).toList();
        record(dsl, done, true);
        record(dsl, failing, false);
        if (!done.isEmpty()) {
            List<EffectClaim> claims = done.stream().map(ClaimedEffect::claim).toList();
            countCompleted(done, Again.call(() -> consumer.complete(dsl, claims)));
        }
        if (!failing.isEmpty()) {
            List<EffectRetry> retries = failing.stream().map(this::retry).toList();
            tally.retried().addAndGet(applied(Again.call(() -> consumer.retry(dsl, retries))));
        }
    }

    /** Waits a moment where there was nothing to claim; it may only be that the other dispatcher holds the heads. */
    private List<ClaimedEffect> claim(DSLContext dsl) throws InterruptedException {
        List<ClaimedEffect> claimed = Again.call(() -> consumer.dispatch(dsl, request));
        if (claimed.isEmpty()) {
            stop.await(IDLE_MILLIS, TimeUnit.MILLISECONDS);
        }
        return claimed;
    }

    private void requeueStale(DSLContext dsl) {
        tally.requeued()
                .addAndGet(Again.call(() -> upkeep.requeueStale(dsl, STALE, MAX_ATTEMPTS, MAX_REQUEUED))
                        .taken());
    }

    private static boolean fails(ClaimedEffect effect) {
        return effect.attempt() == 1 && effect.claim().effect().value() % ONE_FAILS_OF == 0;
    }

    private EffectRetry retry(ClaimedEffect effect) {
        return new EffectRetry(
                effect.claim(),
                BACKOFF.after(effect.attempt(), random),
                "attempt " + effect.attempt() + ": the index of " + effect.repoId() + " is locked");
    }

    private void record(DSLContext dsl, List<ClaimedEffect> effects, boolean handled) {
        if (effects.isEmpty()) {
            return;
        }
        dsl.transaction(transaction -> {
            var rows = transaction
                    .dsl()
                    .batch(transaction
                            .dsl()
                            .insertInto(
                                    ATTEMPTS,
                                    ATTEMPT_EFFECT,
                                    ATTEMPT_REPO,
                                    ATTEMPT_DISPATCHER,
                                    ATTEMPT,
                                    ATTEMPT_HANDLED,
                                    ATTEMPT_ENQUEUED_AT,
                                    ATTEMPT_CLAIMED_AT)
                            .values(null, null, (String) null, null, null, null, null));
            effects.forEach(effect -> rows.bind(
                    effect.claim().effect(),
                    effect.repoId(),
                    request.claimant(),
                    effect.attempt(),
                    handled,
                    effect.enqueuedAt(),
                    effect.claimedAt()));
            rows.execute();
        });
    }

    private void countCompleted(List<ClaimedEffect> done, List<EffectReport> reports) {
        tally.completed().addAndGet(applied(reports));
        for (int i = 0; i < done.size(); i++) {
            if (isApplied(reports.get(i)) && isOfMonorepo(done.get(i))) {
                tally.completedOfMonorepo().incrementAndGet();
            }
        }
    }

    private long applied(List<EffectReport> reports) {
        long applied = reports.stream().filter(Dispatcher::isApplied).count();
        tally.claimsLost().addAndGet(reports.size() - applied);
        return applied;
    }

    private static boolean isOfMonorepo(ClaimedEffect effect) {
        return effect.repoId().equals(EffectLoad.MONOREPO);
    }

    private static boolean isApplied(EffectReport report) {
        return report.status() == EffectReport.Status.APPLIED;
    }
}
