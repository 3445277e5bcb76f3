package io.lanequeue.worker;

import io.lanequeue.effects.ClaimedEffect;
import org.jspecify.annotations.Nullable;

/** A claimed effect in hand. */
final class HeldEffect extends Held {

    private final ClaimedEffect effect;
    private final EffectHandler handler;
    private final RetryPolicy policy;
    private final HandlerCall call;

    private Verdict verdict = Verdict.untried();
    private @Nullable Throwable failure;

    HeldEffect(ClaimedEffect effect, EffectHandler handler, RetryPolicy policy, HandlerCall call) {
        this.effect = effect;
        this.handler = handler;
        this.policy = policy;
        this.call = call;
    }

    ClaimedEffect effect() {
        return effect;
    }

    Verdict verdict() {
        return verdict;
    }

    @Override
    Object subject() {
        return effect.claim().effect();
    }

    @Override
    void handle() {
        if (!mayBeginAt(call.timing().nanos())) {
            return;
        }
        Attempt attempt = attempt();
        if (attempt.number() > policy.maxAttempts()) {
            verdict = Verdict.withoutOutcome(attempt);
            return;
        }
        try {
            call.run(() -> handler.handle(effect, attempt));
            verdict = Verdict.delivered();
        } catch (Throwable e) { // also an Error: whatever it was, the effect must not stay behind
            fail(attempt, e);
        }
    }

    private Attempt attempt() {
        return new Attempt(effect.attempt(), effect.lastError(), handling);
    }

    private void fail(Attempt attempt, Throwable thrown) {
        failure = thrown;
        verdict = Verdict.on(thrown, attempt, policy);
    }

    @Override
    void refuse(String reason) {
        fail(attempt(), new IllegalStateException(reason));
    }

    @Override
    @Nullable
    Throwable failure() {
        return failure;
    }

    @Override
    public String toString() {
        return "effect " + effect.claim().effect() + " of " + effect.repoId();
    }
}
