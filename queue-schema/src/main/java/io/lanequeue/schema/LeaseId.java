package io.lanequeue.schema;

/**
 * The fence of a lease: one number per claim of a lane, from a sequence with random bits behind it, never given twice.
 *
 * @param value as in {@code dispatch_outbox_user_heads.lease_id}
 */
public record LeaseId(long value) implements Comparable<LeaseId> {

    @Override
    public int compareTo(LeaseId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
