package io.lanequeue.outbox;

/**
 * What became of an operator's deletion.
 *
 * @param status whether it happened
 * @param events how many events went to the dead letters
 */
public record Discard(Status status, long events) {

    /** Whether a deletion happened. */
    public enum Status {
        /** The events are dead letters now. */
        DISCARDED,

        /** A worker holds the lane; nothing was changed, nor is anything locked. Wait until its lease has ended. */
        LEASED,

        /** The lane has no backlog, or its head is another event by now or is gone; nothing was changed. */
        NOT_FOUND
    }
}
