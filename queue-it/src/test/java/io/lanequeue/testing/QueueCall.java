package io.lanequeue.testing;

import java.util.function.Function;
import org.jooq.DSLContext;

/** A public call that reaches the database, with a queue on which it has something to do. */
public interface QueueCall {

    /** Prepares the queue through the given context; returns the call. */
    Function<DSLContext, Object> prepare(DSLContext dsl);

    boolean isReadOnly();
}
