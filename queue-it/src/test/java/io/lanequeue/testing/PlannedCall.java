package io.lanequeue.testing;

import java.util.function.ToIntFunction;
import org.jooq.DSLContext;

/** A public call that reaches the database, with the work it is given and what that may cost. */
public interface PlannedCall {

    /** Prepares the backlog, in the given context's transaction; returns the call, which returns how much it did. */
    ToIntFunction<DSLContext> prepare(DSLContext dsl, int units);

    Units units();

    Cost cost();

    /** What {@link #prepare} does. */
    interface Preparation {
        ToIntFunction<DSLContext> prepare(DSLContext dsl, int units);
    }
}
