package io.lanequeue.model;

import io.lanequeue.testing.Isolation;

/**
 * One thing that one actor does. A plain value, so that a sequence of steps can be played again without some of them.
 */
public sealed interface Step<M> {

    int actor();

    /** A call, in the actor's open transaction or as one of its own. */
    record Act<M>(int actor, Operation<M> operation) implements Step<M> {}

    /** Begins a transaction. */
    record Begin<M>(int actor, Isolation isolation) implements Step<M> {}

    /** Something else about the actor's transaction. */
    record Control<M>(int actor, Verb verb) implements Step<M> {}

    /** What is done to a transaction. */
    enum Verb {
        COMMIT,
        ROLLBACK,
        SAVEPOINT,
        ROLLBACK_TO_SAVEPOINT
    }
}
