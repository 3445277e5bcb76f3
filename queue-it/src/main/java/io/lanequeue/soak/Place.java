package io.lanequeue.soak;

import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.NewEvent;

/**
 * Where an event stands in its lane, as its producer meant it. The payload carries it: the columns are what the queue
 * sorts by, and are not trusted.
 *
 * @param number ascends along the lane
 * @param arrival whether the event was appended in turn
 */
record Place(int number, Arrival arrival) {

    /** When an event was appended. */
    enum Arrival {
        IN_TURN,

        /** After events that stand behind it. It is the next one delivered, behind those that went before. */
        LATE
    }

    static Place of(Event event) {
        return new Place(Integer.parseInt(event.payload().data()), Arrival.valueOf(event.eventType()));
    }

    NewEvent event(long lane) {
        return NewEvent.of(lane, number, arrival.name(), Integer.toString(number));
    }
}
