package io.lanequeue.worker;

import org.jspecify.annotations.Nullable;

/** What a handler may want to know about its turn at an event or effect. Thread-safe. */
public final class Attempt {

    private final int number;
    private final @Nullable String lastError;
    private final Handling handling;

    Attempt(int number, @Nullable String lastError, Handling handling) {
        this.number = number;
        this.lastError = lastError;
        this.handling = handling;
    }

    /** A first attempt that nobody cancels: for tests of handlers. */
    public static Attempt first() {
        return new Attempt(1, null, new Handling());
    }

    /** How often it has been handed out, this time included. */
    public int number() {
        return number;
    }

    /** Why it failed the last time, or null. */
    public @Nullable String lastError() {
        return lastError;
    }

    /**
     * Why the worker no longer waits for this handler, or null as long as it does. A handler that runs for long looks
     * here before each step that others can see, besides heeding its thread's interruption.
     */
    public @Nullable Cancellation cancellation() {
        return handling.cancellation();
    }
}
