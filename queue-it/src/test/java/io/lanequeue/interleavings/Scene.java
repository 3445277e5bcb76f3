package io.lanequeue.interleavings;

import org.jooq.DSLContext;

/** A state of a lane or a repository in which two calls meet. */
@FunctionalInterface
interface Scene<S> {

    /** A new lane or repository of that number in this state. */
    S prepare(DSLContext dsl, long number);
}
