package io.lanequeue.soak;

import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.tools.jdbc.DefaultConnection;

/** A connection that is lost at the commit, before the answer. */
final class LosingConnection {

    private LosingConnection() {}

    /** What has become of the transaction by then. */
    @FunctionalInterface
    interface Fate {
        void befall(Connection connection) throws SQLException;
    }

    static Connection of(Connection connection, Fate fate) {
        return new DefaultConnection(connection) {
            @Override
            public void commit() throws SQLException {
                fate.befall(connection);
                throw new SQLException("lost", "08006");
            }

            @Override
            public void close() {
                // What it left behind at the server is the test's business.
            }
        };
    }
}
