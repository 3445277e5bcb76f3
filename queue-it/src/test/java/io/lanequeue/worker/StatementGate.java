package io.lanequeue.worker;

import io.lanequeue.testing.Sent;
import org.jooq.DSLContext;

/** Lets a test hold a worker just before it sends a statement, until the test opens. For one holding. */
final class StatementGate {

    private final Latch arrived = new Latch();
    private final Latch opened = new Latch();
    private volatile boolean shut;

    /** The context, with the gate before each statement. */
    DSLContext before(DSLContext dsl) {
        return before(dsl, "");
    }

    /** The context, with the gate before each statement that has this in its text. */
    DSLContext before(DSLContext dsl, String text) {
        return Sent.listened(dsl, sql -> {
            if (shut && sql.contains(text)) {
                arrived.open();
                opened.passWhateverComes();
            }
        });
    }

    /** The next statement is held. */
    void shut() {
        shut = true;
    }

    /** Returns when a statement is held. */
    void awaitStatement() {
        arrived.passWhateverComes();
    }

    void open() {
        shut = false;
        opened.open();
    }
}
