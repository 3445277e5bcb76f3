package io.lanequeue.watch;

import java.util.List;

/**
 * How a queue is.
 *
 * @param status in one word
 * @param reasons in words, what is wrong; empty when the status is {@link Status#UP}
 */
public record QueueHealth(Status status, List<String> reasons) {

    public QueueHealth {
        reasons = List.copyOf(reasons);
    }

    /** In one word. */
    public enum Status {
        /** Nothing is wrong. */
        UP,

        /** The queue works, and somebody should look at it. */
        DEGRADED,

        /** The database does not answer, or does not have the queue. */
        DOWN
    }

    static QueueHealth down(String reason) {
        return new QueueHealth(Status.DOWN, List.of(reason));
    }

    /** Up, unless there are reasons for something else. */
    static QueueHealth of(List<String> reasons) {
        return new QueueHealth(reasons.isEmpty() ? Status.UP : Status.DEGRADED, reasons);
    }
}
