package io.lanequeue.schema;

/**
 * The id of an event, given by the database at the append and never reused.
 *
 * @param value as in {@code dispatch_outbox.id}
 */
public record EventId(long value) implements Comparable<EventId> {

    @Override
    public int compareTo(EventId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
