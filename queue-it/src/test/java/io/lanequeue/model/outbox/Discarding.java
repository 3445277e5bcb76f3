package io.lanequeue.model.outbox;

import io.lanequeue.model.Change;
import java.util.List;

/** What follows when an operator takes events out of a lane. */
final class Discarding {

    private Discarding() {}

    /**
     * They are dead letters, and a lease whose time is over ends with them. What holds back the lane for an event that
     * the call did not see stays.
     */
    static Change<OutboxModel> change(long lane, List<Place> events) {
        return new Change<>(Row.removed(events), model -> {
            model.remove(events);
            if (model.hold(lane) instanceof Hold.Leased) {
                model.ready(lane);
            }
            model.deadLetters().addAll(events);
        });
    }
}
