package io.lanequeue.outbox;

import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.InvalidInputException;
import org.jspecify.annotations.Nullable;

/**
 * Which lanes to list: those of one state, those that became or become available first in front, a page at a time.
 *
 * @param state the state
 * @param limit the size of the page, 1 to {@value #MAX_LIMIT}
 * @param after the last lane of the page before, or null for the first page
 */
public record LaneQuery(
        LaneState state, int limit, @Nullable LaneStatus after) {

    public static final int MAX_LIMIT = 10_000;

    /** @throws InvalidInputException if the limit is out of range */
    public LaneQuery {
        Inputs.limit("limit of lanes", limit, MAX_LIMIT);
    }

    /** The first 100 lanes of a state. */
    public static LaneQuery of(LaneState state) {
        return new LaneQuery(state, 100, null);
    }

    public LaneQuery withLimit(int limit) {
        return new LaneQuery(state, limit, after);
    }

    /** The page that follows this lane. */
    public LaneQuery after(LaneStatus last) {
        return new LaneQuery(state, limit, last);
    }
}
