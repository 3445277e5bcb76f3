package io.lanequeue.benchmark;

import java.util.concurrent.atomic.LongAdder;
import org.jooq.DSLContext;
import org.jooq.ExecuteListener;

/** How many statements are sent through contexts, without {@code BEGIN} and {@code COMMIT}. */
final class StatementCount {

    private final LongAdder sent = new LongAdder();

    /** A context like the given one, whose statements are counted. */
    DSLContext of(DSLContext dsl) {
        return dsl.configuration()
                .derive(ExecuteListener.onExecuteStart(context -> sent.increment()))
                .dsl();
    }

    /** Begins again at 0; returns how many there were until now. */
    long restart() {
        return sent.sumThenReset();
    }
}
