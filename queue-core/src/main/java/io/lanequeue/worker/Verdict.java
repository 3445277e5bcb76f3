package io.lanequeue.worker;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What follows from how a handler ended.
 *
 * @param delay until the next attempt, if there is one
 * @param error why it failed, if it did
 */
record Verdict(Ending ending, Duration delay, String error) {

    static Verdict delivered() {
        return new Verdict(Ending.DELIVERED, Duration.ZERO, "");
    }

    static Verdict untried() {
        return new Verdict(Ending.RELEASED, Duration.ZERO, "");
    }

    /** Of what was handed out too often: it lets its workers die or hang, and must not come back for ever. */
    static Verdict withoutOutcome(Attempt attempt) {
        return new Verdict(
                Ending.GIVEN_UP,
                Duration.ZERO,
                "Handed out " + (attempt.number() - 1) + " times, the last time without an outcome: its worker died, or"
                        + " its handler did not return. The error before that: " + attempt.lastError());
    }

    static Verdict on(Throwable failure, Attempt attempt, RetryPolicy policy) {
        Cancellation cancellation = attempt.cancellation();
        if (cancellation == Cancellation.STOPPING || cancellation == Cancellation.LEASE_LOST) {
            // It was interrupted for reasons of the worker; that says nothing about the event.
            return untried();
        }
        String error = cancellation == Cancellation.TIME_LIMIT
                ? "Interrupted, since it had taken too long: " + inWords(failure)
                : inWords(failure);
        if (failure instanceof NeverAgainException || attempt.number() >= policy.maxAttempts()) {
            return new Verdict(Ending.GIVEN_UP, Duration.ZERO, error);
        }
        Duration delay = failure instanceof RetryAfterException asked
                ? asked.delay()
                : policy.backoff().after(attempt.number(), ThreadLocalRandom.current());
        return new Verdict(Ending.FAILED, delay, error);
    }

    /** It is the handler's exception, and may fail at that too. */
    private static String inWords(Throwable failure) {
        String name = failure.getClass().getName();
        try {
            return Objects.requireNonNullElse(failure.toString(), name);
        } catch (RuntimeException | Error e) {
            return name;
        }
    }
}
