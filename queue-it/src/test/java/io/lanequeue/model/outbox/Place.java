package io.lanequeue.model.outbox;

import io.lanequeue.outbox.Event;
import io.lanequeue.schema.EventId;
import java.util.Comparator;

/** An event of a lane. Within a lane they are in the order of delivery. */
record Place(long lane, int pts, EventId id) implements Comparable<Place> {

    private static final Comparator<Place> ORDER =
            Comparator.comparing(Place::lane).thenComparing(Place::pts).thenComparing(Place::id);

    static Place of(Event event) {
        return new Place(event.targetUserId().value(), event.pts(), event.id());
    }

    @Override
    public int compareTo(Place other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return id + " (lane " + lane + ", pts " + pts + ")";
    }
}
