package io.lanequeue.interleavings;

import io.lanequeue.schema.EventId;

/** Where an event stands in its lane. */
record Place(int pts, EventId event) implements Comparable<Place> {

    @Override
    public int compareTo(Place other) {
        return pts == other.pts ? event.compareTo(other.event) : Integer.compare(pts, other.pts);
    }
}
