package io.lanequeue.benchmark;

import io.lanequeue.benchmark.baseline.BatchConsumer;
import io.lanequeue.command.CommandFailedException;
import java.sql.SQLException;

/** A claim, measured alone: what it got is given back, so that the next one finds the same queue. */
final class Claiming implements Round {

    private final BatchConsumer consumer;
    private final int batch;

    /** @param batch how much each claim has to get */
    Claiming(BatchConsumer consumer, int batch) {
        this.consumer = consumer;
        this.batch = batch;
    }

    @Override
    public long nanos() throws SQLException {
        long start = System.nanoTime();
        int claimed = consumer.claim();
        long time = System.nanoTime() - start;
        if (claimed != batch) {
            throw new CommandFailedException("A claim got " + claimed + " instead of " + batch);
        }
        consumer.release();
        return time;
    }
}
