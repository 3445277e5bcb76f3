package io.lanequeue.worker;

import io.lanequeue.effects.ClaimedEffect;

/**
 * Does the work of effects. Called by several threads at once.
 *
 * <p>An effect may be handed out again, after a crash or a lost claim even though it was done, and while a worker that
 * was thought dead is still at it.
 */
@FunctionalInterface
public interface EffectHandler {

    /**
     * Does the work of one effect. Returning says that it is done.
     *
     * @throws RetryAfterException to say when to try again
     * @throws NeverAgainException to let the effect fail for good at once
     * @throws Exception for any other failure: tried again as the worker's {@link RetryPolicy} says
     */
    void handle(ClaimedEffect effect, Attempt attempt) throws Exception;
}
