package io.lanequeue.outbox;

import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.TargetUserId;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A set of logical shards, for workers that share the lanes among them. A lane's shard is
 * {@link TargetUserId#logicalShard()}, 0 to 255, fixed for ever. Immutable.
 */
public final class LogicalShards {

    private static final LogicalShards ALL = new LogicalShards(
            IntStream.range(0, TargetUserId.LOGICAL_SHARDS).boxed().toList());

    private final List<Integer> shards;

    private LogicalShards(List<Integer> shards) {
        this.shards = shards;
    }

    /** Every shard. */
    public static LogicalShards all() {
        return ALL;
    }

    /** @throws InvalidInputException if there is none, or one is not from 0 to 255 */
    public static LogicalShards of(int... shards) {
        if (shards.length == 0) {
            throw new InvalidInputException("set of logical shards", "must not be empty");
        }
        for (int shard : shards) {
            if (shard < 0 || shard >= TargetUserId.LOGICAL_SHARDS) {
                throw new InvalidInputException("logical shard " + shard, "must be from 0 to 255");
            }
        }
        return new LogicalShards(
                IntStream.of(shards).distinct().sorted().boxed().toList());
    }

    /**
     * One of {@code workers} equal shares, such that the shares of all workers together are all shards, each once.
     *
     * @param worker from 0 to {@code workers - 1}
     * @throws InvalidInputException if there is no such share; more than 256 workers cannot share 256 shards
     */
    public static LogicalShards share(int worker, int workers) {
        if (workers < 1 || workers > TargetUserId.LOGICAL_SHARDS || worker < 0 || worker >= workers) {
            throw new InvalidInputException(
                    "share " + worker + " of " + workers, "must be one of 1 to 256 shares, counted from 0");
        }
        return of(IntStream.range(0, TargetUserId.LOGICAL_SHARDS)
                .filter(shard -> shard % workers == worker)
                .toArray());
    }

    /** Whether this is every shard. */
    public boolean areAll() {
        return shards.size() == TargetUserId.LOGICAL_SHARDS;
    }

    /** The numbers, ascending. */
    public List<Integer> numbers() {
        return shards;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LogicalShards that && shards.equals(that.shards);
    }

    @Override
    public int hashCode() {
        return shards.hashCode();
    }

    @Override
    public String toString() {
        return areAll() ? "all shards" : "shards " + shards;
    }
}
