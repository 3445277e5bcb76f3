package io.lanequeue.model.outbox;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** Something that a transaction may hold, so that others skip it or wait for it. */
record Row(Kind kind, long id) {

    enum Kind {
        /** The head of a lane is locked: claims skip it, outcomes wait. */
        HEAD,
        /** It is moreover added, lowered or removed: appends wait. */
        CHANGING_HEAD,
        EVENT,
        DEAD_LETTER,
        /** The outbox is locked for a repair: appends and outcomes wait. */
        OUTBOX
    }

    static final Row OUTBOX = new Row(Kind.OUTBOX, 0);

    static Row head(long lane) {
        return new Row(Kind.HEAD, lane);
    }

    static Row changingHead(long lane) {
        return new Row(Kind.CHANGING_HEAD, lane);
    }

    static Row event(Place event) {
        return new Row(Kind.EVENT, event.id().value());
    }

    static Row deadLetter(Place event) {
        return new Row(Kind.DEAD_LETTER, event.id().value());
    }

    /** What the change of a lane's head holds. */
    static Set<Row> lane(long lane) {
        return Set.of(head(lane), changingHead(lane));
    }

    /** What taking these events out of the outbox holds. */
    static Set<Row> removed(Collection<Place> events) {
        Set<Row> rows = new HashSet<>();
        for (Place event : events) {
            rows.add(event(event));
            rows.addAll(lane(event.lane()));
        }
        return rows;
    }
}
