package io.lanequeue.model;

/** The queue did what the model does not allow. */
public final class Violation extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public Violation(String what) {
        super(what);
    }

    Violation(String what, Throwable cause) {
        super(what + ": " + cause, cause);
    }

    /** Throws one unless the condition holds. */
    public static void unless(boolean holds, String what, Object... details) {
        if (!holds) {
            throw new Violation(what.formatted(details));
        }
    }
}
