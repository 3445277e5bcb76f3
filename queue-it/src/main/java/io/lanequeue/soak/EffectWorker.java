package io.lanequeue.soak;

import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectClaim;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectFailure;
import io.lanequeue.effects.EffectReport;
import io.lanequeue.effects.EffectRetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.jooq.DSLContext;

/** Claims effects of all repositories, runs them into the ledger and reports; some fail, once or for good. */
final class EffectWorker {

    private static final int EFFECTS = 50;
    private static final int SIDES = 100;
    private static final int MAX_DELAY_MILLIS = 500;

    private final EffectConsumer consumer = new EffectConsumer();
    private final Client client;
    private final Books books;
    private final WorkerHabits habits;
    private final Random random;
    private final int cap;

    EffectWorker(Client client, Books books, WorkerHabits habits, Random random, int cap) {
        this.client = client;
        this.books = books;
        this.habits = habits;
        this.random = random;
        this.cap = cap;
    }

    /** Works until stopped. */
    Void work() throws InterruptedException {
        while (!habits.isStopped()) {
            workOnce();
        }
        return null;
    }

    /** Claims effects once, and reports what became of them. */
    void workOnce() throws InterruptedException {
        Optional<List<ClaimedEffect>> dispatched = client.call(dsl -> consumer.dispatch(
                dsl, DispatchRequest.by(habits.name()).withLimit(EFFECTS).withCap(cap)));
        if (dispatched.isEmpty() || dispatched.get().isEmpty()) {
            habits.idle();
            return;
        }
        List<ClaimedEffect> effects = dispatched.get();
        books.effects().claimed(effects);
        if (habits.work() == WorkerHabits.Fate.DIES) {
            client.close();
        } else {
            handle(effects);
        }
    }

    private void handle(List<ClaimedEffect> effects) {
        List<EffectClaim> run = new ArrayList<>();
        List<EffectClaim> untried = new ArrayList<>();
        List<EffectRetry> retries = new ArrayList<>();
        List<EffectFailure> failures = new ArrayList<>();
        for (ClaimedEffect effect : effects) {
            EffectClaim claim = effect.claim();
            switch (random.nextInt(SIDES)) {
                case 0 -> untried.add(claim);
                case 1 -> failures.add(new EffectFailure(claim, "fails for good, on purpose"));
                case 2, 3, 4 ->
                    retries.add(new EffectRetry(
                            claim, Duration.ofMillis(random.nextInt(MAX_DELAY_MILLIS)), "fails once, on purpose"));
                default -> run.add(claim);
            }
        }
        run.forEach(books.effects()::run);
        books.happenings().add(Happening.GIVEN_BACK, untried.size());
        books.happenings().add(Happening.EFFECT_RETRIED, retries.size());
        books.happenings().add(Happening.EFFECT_FAILED, failures.size());
        report(run, dsl -> consumer.complete(dsl, run));
        report(untried, dsl -> consumer.release(dsl, untried));
        report(retries.stream().map(EffectRetry::claim).toList(), dsl -> consumer.retry(dsl, retries));
        report(failures.stream().map(EffectFailure::claim).toList(), dsl -> consumer.fail(dsl, failures));
    }

    /** Reports until there is an answer. */
    private void report(List<EffectClaim> claims, Function<DSLContext, List<EffectReport>> call) {
        Set<EffectClaim> newest;
        Optional<List<EffectReport>> reports;
        do {
            newest = books.effects().reporting(claims);
            reports = client.call(call);
        } while (reports.isEmpty());
        books.effects().reported(reports.get(), newest);
    }
}
