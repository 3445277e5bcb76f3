package io.lanequeue.command;

import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.DSLContext;

/** One connection, in autocommit, and jOOQ on it. Not for use by several threads at once. */
public record Session(Connection connection, DSLContext dsl) implements AutoCloseable {

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new CommandFailedException("A connection did not close", e);
        }
    }
}
