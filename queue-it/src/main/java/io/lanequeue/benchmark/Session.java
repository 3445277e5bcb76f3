package io.lanequeue.benchmark;

import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.DSLContext;

/** A connection, in autocommit, and jOOQ on it. */
record Session(Connection connection, DSLContext dsl) implements AutoCloseable {

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
