package io.lanequeue.benchmark;

import io.lanequeue.benchmark.baseline.BatchConsumer;
import java.sql.SQLException;

/**
 * A queue that is filled and drained in each round, by consumers whose connections stay: a worker connects once, and
 * what its connection prepared serves it from then on.
 *
 * @param name for the charts
 * @param database where it is
 * @param filling fills it
 * @param events how many it is filled with
 * @param consumers drain it
 */
record Contender(
        String name, ScratchDatabase database, Filling filling, int events, Group<? extends BatchConsumer> consumers)
        implements Round, AutoCloseable {

    @FunctionalInterface
    interface Filling {
        void fill() throws SQLException;
    }

    @Override
    public long nanos() throws SQLException, InterruptedException {
        filling.fill();
        database.settle();
        return Drain.nanos(consumers.members(), events);
    }

    @Override
    public void close() {
        consumers.close();
    }
}
