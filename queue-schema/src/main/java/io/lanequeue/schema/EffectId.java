package io.lanequeue.schema;

/**
 * The id of an effect, given by the database when it is enqueued and never reused.
 *
 * @param value as in {@code effect_queue.id}
 */
public record EffectId(long value) implements Comparable<EffectId> {

    @Override
    public int compareTo(EffectId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
