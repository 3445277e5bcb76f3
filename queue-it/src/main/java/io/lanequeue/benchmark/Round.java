package io.lanequeue.benchmark;

import java.sql.SQLException;

/** One way of doing what is measured. It times itself, so that what it has to prepare or undo does not count. */
@FunctionalInterface
interface Round {

    /** Does it once; returns how many nanoseconds it took. */
    long nanos() throws SQLException, InterruptedException;
}
