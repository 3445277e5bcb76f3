package io.lanequeue.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.IntSupplier;
import javax.sql.DataSource;

/**
 * Lets one process at a time migrate a schema: an advisory lock of a session of its own, held outside a transaction.
 * Asked for again and again and not waited for, since a statement that waits holds a snapshot. The session must be the
 * connection's for as long as that is open, as it is not behind a pool in transaction mode.
 */
final class MigrationLock implements AutoCloseable {

    private static final long PAUSE_MILLIS = 50;

    private final Connection connection;
    private final boolean autoCommit;
    private final String schema;
    private boolean acquired;

    private MigrationLock(Connection connection, String schema) throws SQLException {
        this.connection = connection;
        this.autoCommit = connection.getAutoCommit();
        this.schema = schema;
        connection.setAutoCommit(true);
    }

    /** Runs the migration while the lock is ours. */
    static int holding(DataSource dataSource, String schema, IntSupplier migration) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                var lock = new MigrationLock(connection, schema)) {
            lock.acquire();
            return migration.getAsInt();
        }
    }

    private void acquire() throws SQLException {
        while (!call("select pg_try_advisory_lock(hashtextextended('lanequeue migration of ' || ?, 0))")) {
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SQLException("Interrupted while another process migrates schema " + schema, e);
            }
        }
        acquired = true;
    }

    private boolean call(String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, schema);
            try (ResultSet result = statement.executeQuery()) {
                return result.next() && result.getBoolean(1);
            }
        }
    }

    /** Gives the lock back if it is ours. */
    @Override
    public void close() throws SQLException {
        boolean wasOurs;
        try {
            wasOurs = call("select pg_advisory_unlock(hashtextextended('lanequeue migration of ' || ?, 0))");
            connection.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            return; // the session is gone, and its lock with it: what was migrated is migrated
        }
        if (acquired && !wasOurs) {
            throw new SQLException(
                    "The lock of the migration is with another session: give connections that lead to the"
                            + " server itself, not through a pool in transaction mode, and close that pool's connections");
        }
    }
}
