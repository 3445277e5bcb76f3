package io.lanequeue.demo;

import io.lanequeue.outbox.Event;
import io.lanequeue.schema.EventId;
import org.jspecify.annotations.Nullable;

/** What is wrong with the handler: it cannot deliver the event of one line until an operator mends it. Thread-safe. */
final class Fault {

    private final int line;
    private volatile @Nullable EventId event;
    private volatile boolean mended;

    Fault(int line, boolean mended) {
        this.line = line;
        this.mended = mended;
    }

    /** Tells which event a line has become. Called before the event is visible to any worker. */
    void appended(int appendedLine, EventId id) {
        if (appendedLine == line) {
            event = id;
        }
    }

    boolean strikes(Event delivered) {
        return !mended && delivered.id().equals(event);
    }

    void mend() {
        mended = true;
    }
}
