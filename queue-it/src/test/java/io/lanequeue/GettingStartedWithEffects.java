package io.lanequeue;

import io.lanequeue.effects.Backoff;
import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectClaim;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectFailure;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.EffectReport;
import io.lanequeue.effects.EffectRetry;
import io.lanequeue.effects.EffectUpkeep;
import io.lanequeue.effects.NewEffect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jooq.DSLContext;

/** The dispatcher of the README. What stands between the marks is what the README shows; a test compares the two. */
class GettingStartedWithEffects {

    private final EffectProducer producer = new EffectProducer();
    private final EffectConsumer consumer = new EffectConsumer();
    private final EffectUpkeep upkeep = new EffectUpkeep();
    private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(10));
    private final Consumer<ClaimedEffect> handler;

    GettingStartedWithEffects(Consumer<ClaimedEffect> handler) {
        this.handler = handler;
    }

    // README begins
    /** In a transaction of yours: the effect exists if it commits. One "index" of a repository waits at a time. */
    void pushed(DSLContext transaction, String repository, String commit) {
        producer.enqueue(transaction, NewEffect.of(repository, commit).withDedupeKey("index"));
    }

    /**
     * Again and again, in any number of threads and processes. Pause a little when it returns false: nothing waited.
     */
    boolean dispatchOnce(DSLContext autocommit) {
        List<ClaimedEffect> effects = consumer.dispatch(
                autocommit, DispatchRequest.by("dispatcher-1").withLimit(10).withCap(5));
        for (ClaimedEffect effect : effects) {
            for (EffectReport report : run(autocommit, effect)) {
                if (report.status() == EffectReport.Status.CLAIM_LOST) {
                    log("took too long: effect " + effect.claim().effect() + " runs again");
                }
            }
        }
        return !effects.isEmpty();
    }

    private List<EffectReport> run(DSLContext autocommit, ClaimedEffect effect) {
        EffectClaim claim = effect.claim();
        try {
            handle(effect);
        } catch (Exception e) {
            if (effect.attempt() < 10) {
                Duration delay = backoff.after(effect.attempt(), ThreadLocalRandom.current());
                return consumer.retry(autocommit, List.of(new EffectRetry(claim, delay, e.toString())));
            }
            return consumer.fail(autocommit, List.of(new EffectFailure(claim, e.toString())));
        }
        return consumer.complete(autocommit, List.of(claim));
    }

    /** Every minute or so, anywhere: brings back what dead workers hold, and forgets what is long done. */
    void upkeep(DSLContext autocommit) {
        upkeep.requeueStale(autocommit, Duration.ofMinutes(5), 10, 1_000);
        upkeep.pruneDone(autocommit, Duration.ofDays(7), 10_000);
    }
    // README ends

    private void handle(ClaimedEffect effect) {
        handler.accept(effect);
    }

    private void log(String message) {
        System.out.println(message);
    }
}
