package io.lanequeue.benchmark;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A transaction that keeps its snapshot, so that no version of a row that died since can be removed. */
final class HeldSnapshot implements AutoCloseable {

    private final Connection connection;

    HeldSnapshot(ScratchDatabase database) throws SQLException {
        connection = database.connection();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        look();
    }

    /** Fails if the transaction has been ended meanwhile. */
    void look() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
