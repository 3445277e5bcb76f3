package io.lanequeue.outbox;

import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.InvalidInputException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a leased lane: which of its claimed events were delivered, and where it stopped, why. Every outcome
 * ends the lease. Immutable.
 *
 * <p>A failure holds the whole lane back: nothing of it is claimed until the delay is over, or an operator has decided.
 * Three things end that too: an event that is appended or redriven in front of the failed one (with a lower
 * {@code pts}), a repair that moves the head, and a deletion of the failed event by another program. Then the lane can
 * be claimed at once, and the failed event, if it is still there, is tried from zero when its turn comes, its error
 * forgotten. An event in front whose append was open while the failure was recorded may be held back too.
 */
public final class LaneOutcome {

    private static final Duration LONGEST_DELAY = Duration.ofDays(365);

    private final Lease lease;
    private final List<Event> delivered;
    private final @Nullable Failure failure;

    private LaneOutcome(Lease lease, List<Event> delivered, @Nullable Failure failure) {
        this.lease = lease;
        this.delivered = List.copyOf(delivered);
        this.failure = failure;
    }

    /** All claimed events were delivered. */
    public static LaneOutcome completed(LeasedLane lane) {
        return new LaneOutcome(lane.lease(), lane.events(), null);
    }

    /**
     * The claimed events up to this one, itself included, were delivered; the others were not tried and can be claimed
     * again at once.
     *
     * @throws InvalidInputException if the event is not among the claimed ones
     */
    public static LaneOutcome deliveredThrough(LeasedLane lane, EventId last) {
        return new LaneOutcome(lane.lease(), lane.events().subList(0, lane.indexOf(last) + 1), null);
    }

    /** Nothing was tried: the lane can be claimed again at once, and this claim does not count as an attempt. */
    public static LaneOutcome released(LeasedLane lane) {
        return released(lane.lease());
    }

    static LaneOutcome released(Lease lease) {
        return new LaneOutcome(lease, List.of(), null);
    }

    /**
     * The claimed events before this one were delivered; this one failed, and holds the lane back for the delay. Then
     * it is tried again.
     *
     * @param delay 0 to 365 days
     * @param error why, for the next attempt and for operators; what cannot be stored of it is replaced, and it is cut
     *     after {@value Inputs#MAX_ERROR_LENGTH} characters
     * @throws InvalidInputException if the event is not among the claimed ones, or the delay is out of range
     */
    public static LaneOutcome retry(LeasedLane lane, EventId failed, Duration delay, String error) {
        Inputs.duration("retry delay", delay, Duration.ZERO, LONGEST_DELAY);
        return failed(lane, failed, delay, error);
    }

    /**
     * The claimed events before this one were delivered; this one failed for good, and holds the lane back until an
     * operator retries or deletes it.
     *
     * @param error as for {@link #retry}
     * @throws InvalidInputException if the event is not among the claimed ones
     */
    public static LaneOutcome block(LeasedLane lane, EventId failed, String error) {
        return failed(lane, failed, null, error);
    }

    private static LaneOutcome failed(LeasedLane lane, EventId failed, @Nullable Duration delay, String error) {
        int index = lane.indexOf(failed);
        Failure failure = new Failure(lane.events().get(index), delay, Inputs.error(error));
        return new LaneOutcome(lane.lease(), lane.events().subList(0, index), failure);
    }

    /** The fence under which the outcome is reported. */
    public Lease lease() {
        return lease;
    }

    List<Event> delivered() {
        return delivered;
    }

    @Nullable
    Failure failure() {
        return failure;
    }

    /** @param delay until the next attempt; null blocks the lane */
    record Failure(Event event, @Nullable Duration delay, String error) {}
}
