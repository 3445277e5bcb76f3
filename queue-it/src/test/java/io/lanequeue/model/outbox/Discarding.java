package io.lanequeue.model.outbox;

import io.lanequeue.model.Change;
import java.util.List;

/** What follows when an operator takes events out of a lane. */
final class Discarding {

    private Discarding() {}

    /** They are dead letters, and the lane is ready: a lease whose time is over ends with them. */
    static Change<OutboxModel> change(long lane, List<Place> events) {
        return new Change<>(Row.removed(events), model -> {
            model.remove(events);
            model.ready(lane);
            model.deadLetters().addAll(events);
        });
    }
}
