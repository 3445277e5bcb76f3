package io.lanequeue.testing;

import java.util.List;
import org.jooq.DSLContext;

/** Fills the tables of a queue with far more than its calls may touch. */
public interface Backlog {

    List<String> tables();

    /** Fills the empty tables of a session that fires no triggers. */
    void fill(DSLContext dsl, int size, Shape shape);

    /**
     * Fills tables of the same names and columns, in the schema of the same name as the statistics, with what there was
     * when these were taken.
     */
    void fillPast(DSLContext dsl, Statistics statistics, int size, Shape shape);
}
