package io.lanequeue.benchmark.baseline;

import java.sql.SQLException;

/** One worker of a queue: claims a batch, then completes it or gives it back. For one thread, on one connection. */
public interface BatchConsumer extends AutoCloseable {

    /** Claims a batch; returns how many events, messages or jobs it got. */
    int claim() throws SQLException;

    /** Completes what the last claim got. */
    void complete() throws SQLException;

    /** Gives back what the last claim got. */
    void release() throws SQLException;

    @Override
    void close() throws SQLException;
}
