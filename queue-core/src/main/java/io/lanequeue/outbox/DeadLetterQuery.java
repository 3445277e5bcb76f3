package io.lanequeue.outbox;

import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.TargetUserId;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters to list: in the order of their ids, a page at a time.
 *
 * @param lane only of this lane, or null for all
 * @param limit the size of the page, 1 to {@value #MAX_LIMIT}
 * @param after the last id of the page before, or null for the first page
 */
public record DeadLetterQuery(
        @Nullable TargetUserId lane, int limit, @Nullable EventId after) {

    public static final int MAX_LIMIT = 10_000;

    /** @throws InvalidInputException if the limit is out of range */
    public DeadLetterQuery {
        Inputs.limit("limit of dead letters", limit, MAX_LIMIT);
    }

    /** The first 100 of all lanes. */
    public static DeadLetterQuery ofAll() {
        return new DeadLetterQuery(null, 100, null);
    }

    /** The first 100 of a lane. */
    public static DeadLetterQuery of(TargetUserId lane) {
        return new DeadLetterQuery(lane, 100, null);
    }

    public DeadLetterQuery withLimit(int limit) {
        return new DeadLetterQuery(lane, limit, after);
    }

    /** The page that follows this dead letter. */
    public DeadLetterQuery after(EventId last) {
        return new DeadLetterQuery(lane, limit, last);
    }
}
