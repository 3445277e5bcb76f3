package io.lanequeue.schema;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jooq.tools.jdbc.DefaultConnection;

/**
 * Hands out connections at READ COMMITTED, which the backfills need, and gives each back at the isolation it came with:
 * the connections may be those of the application's pool.
 */
final class ReadCommittedDataSource implements DataSource {

    private final DataSource dataSource;

    ReadCommittedDataSource(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return atReadCommitted(dataSource.getConnection());
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        return atReadCommitted(dataSource.getConnection(username, password));
    }

    private static Connection atReadCommitted(Connection connection) throws SQLException {
        int isolation = connection.getTransactionIsolation();
        if (isolation == Connection.TRANSACTION_READ_COMMITTED) {
            return connection;
        }
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        return new DefaultConnection(connection) {
            @Override
            public void close() throws SQLException {
                try (Connection closing = getDelegate()) {
                    if (!closing.isClosed()) {
                        closing.setTransactionIsolation(isolation);
                    }
                }
            }
        };
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return dataSource.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        dataSource.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        dataSource.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return dataSource.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return dataSource.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return dataSource.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return dataSource.isWrapperFor(type);
    }
}
