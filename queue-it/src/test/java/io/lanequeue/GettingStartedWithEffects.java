package io.lanequeue;

import io.lanequeue.effects.Backoff;
import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectClaim;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectFailure;
import io.lanequeue.effects.EffectProducer;
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
                autocommit, DispatchRequest.by("dispatcher-1").withLimit(50).withCap(5));
        effects.forEach(effect -> run(autocommit, effect));
        return !effects.isEmpty();
    }

    private void run(DSLContext autocommit, ClaimedEffect effect) {
        EffectClaim claim = effect.claim();
        try {
            handle(effect);
            consumer.complete(autocommit, List.of(claim));
        } catch (Exception e) {
            if (effect.attempt() < 8) {
                Duration delay = backoff.after(effect.attempt(), ThreadLocalRandom.current());
                consumer.retry(autocommit, List.of(new EffectRetry(claim, delay, e.toString())));
            } else {
                consumer.fail(autocommit, List.of(new EffectFailure(claim, e.toString())));
            }
        }
    }

    /** Every minute or so, anywhere: brings back what dead workers hold, and forgets what is long done. */
    void upkeep(DSLContext autocommit) {
        upkeep.requeueStale(autocommit, Duration.ofMinutes(15), 8, 1_000);
        upkeep.pruneDone(autocommit, Duration.ofDays(7), 10_000);
    }
    // README ends

    private void handle(ClaimedEffect effect) {
        handler.accept(effect);
    }
}
