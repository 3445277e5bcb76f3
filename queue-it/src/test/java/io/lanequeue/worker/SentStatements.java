package io.lanequeue.worker;

import io.lanequeue.testing.Sent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jooq.DSLContext;

/** The statements that are sent through a context. */
final class SentStatements {

    private final List<String> sent = new CopyOnWriteArrayList<>();

    /** The context, listened to. */
    DSLContext of(DSLContext dsl) {
        return Sent.listened(dsl, sent::add);
    }

    List<String> all() {
        return List.copyOf(sent);
    }

    void clear() {
        sent.clear();
    }
}
