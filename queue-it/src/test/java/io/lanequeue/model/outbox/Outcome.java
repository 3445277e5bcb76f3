package io.lanequeue.model.outbox;

import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LaneOutcome;
import io.lanequeue.outbox.LeasedLane;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a worker says of a lane that it claimed; of the event at this position of the claim, where it names one. */
record Outcome(Kind kind, int position) {

    enum Kind {
        COMPLETED,
        DELIVERED_THROUGH,
        RETRY_NOW,
        RETRY_LATER,
        BLOCK,
        RELEASED
    }

    LaneOutcome of(LeasedLane lane) {
        return switch (kind) {
            case COMPLETED -> LaneOutcome.completed(lane);
            case DELIVERED_THROUGH ->
                LaneOutcome.deliveredThrough(lane, event(lane).id());
            case RETRY_NOW -> LaneOutcome.retry(lane, event(lane).id(), Duration.ZERO, "model");
            case RETRY_LATER -> LaneOutcome.retry(lane, event(lane).id(), Duration.ofHours(1), "model");
            case BLOCK -> LaneOutcome.block(lane, event(lane).id(), "model");
            case RELEASED -> LaneOutcome.released(lane);
        };
    }

    /** The events that it says were delivered. */
    List<Place> delivered(LeasedLane lane) {
        int count = switch (kind) {
            case COMPLETED -> lane.events().size();
            case DELIVERED_THROUGH -> index(lane) + 1;
            case RETRY_NOW, RETRY_LATER, BLOCK -> index(lane);
            case RELEASED -> 0;
        };
        return lane.events().stream().limit(count).map(Place::of).toList();
    }

    /** The event that it says failed. */
    Optional<Place> failed(LeasedLane lane) {
        return switch (kind) {
            case RETRY_NOW, RETRY_LATER, BLOCK -> Optional.of(Place.of(event(lane)));
            case COMPLETED, DELIVERED_THROUGH, RELEASED -> Optional.empty();
        };
    }

    /** How the failed event holds back its lane. */
    Hold hold(Place failed) {
        return kind == Kind.BLOCK ? new Hold.Blocked(failed) : new Hold.BackingOff(failed, kind == Kind.RETRY_NOW);
    }

    private Event event(LeasedLane lane) {
        return lane.events().get(index(lane));
    }

    private int index(LeasedLane lane) {
        return position % lane.events().size();
    }
}
