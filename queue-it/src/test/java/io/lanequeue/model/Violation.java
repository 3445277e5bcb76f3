package io.lanequeue.model;

import org.jspecify.annotations.Nullable;

/** The queue did what a model of it, or the ledger of its reports, does not allow. */
public final class Violation extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public Violation(String what) {
        super(what);
    }

    Violation(String what, Throwable cause) {
        super(what + ": " + cause, cause);
    }

    /** Throws one unless the condition holds. */
    public static void unless(boolean holds, String what, @Nullable Object... details) {
        if (!holds) {
            throw new Violation(what.formatted(details));
        }
    }
}
