package io.lanequeue.schema;

import org.jspecify.annotations.Nullable;

/**
 * The root of everything that Lanequeue throws. Unchecked; each subclass says what was wrong and what to do.
 *
 * <p>A lost race is never an exception: it is a value in the result.
 */
public abstract class LanequeueException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String message;

    protected LanequeueException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.message = message;
    }

    /** What was wrong and what to do; never null. */
    @Override
    public String getMessage() {
        return message;
    }
}
