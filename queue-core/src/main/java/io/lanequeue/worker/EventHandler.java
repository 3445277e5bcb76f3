package io.lanequeue.worker;

import io.lanequeue.outbox.Event;

/**
 * Delivers events. Called by several threads at once, but for the events of one lane one after the other, in order.
 *
 * <p>An event may be handed out again, after a crash or a lost lease even though it was delivered, and while a holder
 * that lost its lease is still at it: let the receiver recognise it by its id.
 */
@FunctionalInterface
public interface EventHandler {

    /**
     * Delivers one event. Returning says that it is delivered.
     *
     * @throws RetryAfterException to say when to try again
     * @throws NeverAgainException to block the lane at this event at once
     * @throws Exception for any other failure: tried again as the worker's {@link RetryPolicy} says
     */
    void handle(Event event, Attempt attempt) throws Exception;
}
