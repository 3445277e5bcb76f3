package io.lanequeue.demo;

import io.lanequeue.command.CommandFailedException;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.DSLContext;

/** One connection and the context on it. Not for use by several threads at once. */
record DemoSession(Connection connection, DSLContext dsl) implements AutoCloseable {

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new CommandFailedException("A connection did not close", e);
        }
    }
}
