package io.lanequeue.outbox;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a claim returned.
 *
 * @param lanes the leased lanes, ascending by user
 * @param settledLanes how many lanes it found without events and put in order instead
 * @param noneFreeBefore no lane that has been available since a moment between the request's {@code availableSince} and
 *     this one, by the database's clock, was seen free; null if nothing was taken. For {@link ClaimWindow}
 */
public record Claim(
        List<LeasedLane> lanes, int settledLanes, @Nullable Instant noneFreeBefore) {

    public Claim {
        lanes = List.copyOf(lanes);
    }

    /** Whether there is nothing to deliver. */
    public boolean isEmpty() {
        return lanes.isEmpty();
    }

    /**
     * Whether the claim found nothing at all, neither lanes to deliver nor lanes to settle. If not, claim again at
     * once. If so, wait a little, but not long: another worker may have held due lanes for a moment.
     */
    public boolean isIdle() {
        return lanes.isEmpty() && settledLanes == 0;
    }

    /** The events of all lanes. */
    public List<Event> events() {
        return lanes.stream().flatMap(lane -> lane.events().stream()).toList();
    }
}
