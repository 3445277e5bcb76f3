package io.lanequeue.benchmark;

import io.lanequeue.command.CommandFailedException;
import io.lanequeue.schema.LanequeueSchema;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.ConnectionProvider;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** What a pool is to one worker, which takes one connection at a time: the same one, that stays open. */
record KeptConnection(Connection connection) implements ConnectionProvider, AutoCloseable {

    /** For a worker, and for nobody else at the same time. */
    DSLContext dsl() {
        return DSL.using(this, SQLDialect.POSTGRES, LanequeueSchema.standard().settings());
    }

    @Override
    public Connection acquire() {
        return connection;
    }

    @Override
    public void release(Connection released) {
        // It stays open.
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new CommandFailedException("A connection did not close", e);
        }
    }
}
