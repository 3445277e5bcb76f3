package io.lanequeue.model;

import java.util.random.RandomGenerator;
import org.jooq.DSLContext;

/** A queue that sequences are played on. */
public interface Queue<M extends Model<M>> {

    /** Empties the tables; returns the model of that. */
    M empty(DSLContext dsl);

    /** A random operation. */
    Operation<M> operation(RandomGenerator random);

    /** Looks up what the model does not predict, and what the results of calls are explained by. */
    void look(M committed, DSLContext observer);

    /**
     * Compares what is committed with the model.
     *
     * @throws Violation where they differ
     */
    void check(M committed, DSLContext observer);

    /**
     * Lets a worker empty the queue, when nobody else is there any more.
     *
     * @throws Violation unless exactly what the model holds comes out
     */
    void drain(M committed, DSLContext dsl);
}
