package io.lanequeue.schema;

/**
 * The user whose events form a lane; the name of the lane.
 *
 * @param value 0 or greater
 */
public record TargetUserId(long value) implements Comparable<TargetUserId> {

    /** The number of logical shards. Fixed for ever: it is part of the stored schema. */
    public static final int LOGICAL_SHARDS = 256;

    /** @throws InvalidInputException if the value is negative */
    public TargetUserId {
        if (value < 0) {
            throw new InvalidInputException("target user " + value, "must be 0 or greater");
        }
    }

    /** The logical shard of the lane, 0 to 255: {@code value mod 256}. A lane never changes its shard. */
    public int logicalShard() {
        return (int) (value % LOGICAL_SHARDS);
    }

    @Override
    public int compareTo(TargetUserId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
