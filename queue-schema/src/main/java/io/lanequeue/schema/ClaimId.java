package io.lanequeue.schema;

/**
 * The fence of a claim of an effect: one number per claim, from a sequence with random bits behind it, never given
 * twice.
 *
 * @param value as in {@code effect_queue.claim_id}
 */
public record ClaimId(long value) implements Comparable<ClaimId> {

    @Override
    public int compareTo(ClaimId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
