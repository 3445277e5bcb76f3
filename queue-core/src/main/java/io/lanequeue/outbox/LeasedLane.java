package io.lanequeue.outbox;

import io.lanequeue.schema.EventId;
import io.lanequeue.schema.InvalidInputException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lane that a claim leased, with its first events in the order in which they must be delivered.
 *
 * @param lease the fence for every later call about this lane
 * @param leasedUntil when others may claim the lane, by the database's clock, unless the lease is extended
 * @param attempts how often the first event has been handed out, this time included. An event that committed after one
 *     behind it had become the lane's head is counted from the first report on it: until then this is 1
 * @param lastError why the first event failed the last time, or null
 * @param events the lane's first events, in {@code (pts, id)} order; at least one
 */
public record LeasedLane(
        Lease lease,
        Instant leasedUntil,
        int attempts,
        @Nullable String lastError,
        List<Event> events) {

    /** @throws InvalidInputException if there are no events, or one is of another lane: the lease is no fence for it */
    public LeasedLane {
        events = List.copyOf(events);
        if (events.isEmpty()) {
            throw new InvalidInputException("leased lane " + lease.lane(), "must have events");
        }
        for (Event event : events) {
            if (!event.targetUserId().equals(lease.lane())) {
                throw new InvalidInputException("event " + event.id(), "must be of the leased lane " + lease.lane());
            }
        }
    }

    /**
     * How often a claimed event has been handed out as the first of its lane, this time included: {@link #attempts()}
     * for the first, 1 for those behind it.
     *
     * @throws InvalidInputException if the event is not among the claimed ones
     */
    public int attemptsOf(EventId event) {
        return indexOf(event) == 0 ? attempts : 1;
    }

    int indexOf(EventId event) {
        int index = events.stream().map(Event::id).toList().indexOf(event);
        if (index < 0) {
            throw new InvalidInputException("event " + event, "must be one of those claimed with lane " + lease.lane());
        }
        return index;
    }
}
