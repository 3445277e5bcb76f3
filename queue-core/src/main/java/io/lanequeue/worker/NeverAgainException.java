package io.lanequeue.worker;

import io.lanequeue.schema.LanequeueException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler that knows that no further attempt will help. An event blocks its lane until an operator decides;
 * an effect has failed for good.
 */
public final class NeverAgainException extends LanequeueException {

    private static final long serialVersionUID = 1L;

    public NeverAgainException(String reason) {
        this(reason, null);
    }

    public NeverAgainException(String reason, @Nullable Throwable cause) {
        super(reason, cause);
    }
}
