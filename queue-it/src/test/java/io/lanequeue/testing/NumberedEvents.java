package io.lanequeue.testing;

import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import java.util.stream.IntStream;
import org.jooq.DSLContext;

/** Events with pts 1, 2, … in each lane, appended in this order. */
public final class NumberedEvents {

    private NumberedEvents() {}

    /** So many for one user. */
    public static void append(DSLContext dsl, long user, int count) {
        new OutboxProducer()
                .appendAll(
                        dsl,
                        IntStream.rangeClosed(1, count)
                                .mapToObj(pts -> event(user, pts))
                                .toList());
    }

    /** So many for each of the users 0, 1, …, in turn. */
    public static void appendToAll(DSLContext dsl, int users, int eventsEach) {
        for (int pts = 1; pts <= eventsEach; pts++) {
            int position = pts;
            new OutboxProducer()
                    .appendAll(
                            dsl,
                            IntStream.range(0, users)
                                    .mapToObj(user -> event(user, position))
                                    .toList());
        }
    }

    private static NewEvent event(long user, int pts) {
        return NewEvent.of(user, pts, "message", "{}");
    }
}
