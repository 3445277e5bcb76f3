package io.lanequeue.worker;

import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.LanequeueException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler that knows when it makes sense to try again: a receiver that answered "not before". The attempt
 * counts; past the limit of the {@link RetryPolicy} there is no other.
 */
public final class RetryAfterException extends LanequeueException {

    private static final long serialVersionUID = 1L;
    private static final Duration LONGEST = Duration.ofDays(365);

    private final Duration delay;

    /**
     * @param delay 0 to 365 days
     * @throws InvalidInputException if the delay is out of range
     */
    public RetryAfterException(Duration delay, String reason) {
        this(delay, reason, null);
    }

    /** As {@link #RetryAfterException(Duration, String)}, with the cause. */
    public RetryAfterException(Duration delay, String reason, @Nullable Throwable cause) {
        super(reason, cause);
        Inputs.duration("retry delay", delay, Duration.ZERO, LONGEST);
        this.delay = delay;
    }

    /** How long to wait before the next attempt. */
    public Duration delay() {
        return delay;
    }
}
