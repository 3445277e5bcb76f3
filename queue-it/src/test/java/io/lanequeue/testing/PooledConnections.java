package io.lanequeue.testing;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A pool as services have one: closing gives the connection back as it is, for the next one who asks. */
public final class PooledConnections implements DataSource, AutoCloseable {

    /** How a new connection is set up. */
    public interface Setup {
        void apply(Connection connection) throws SQLException;
    }

    private final DataSource dataSource;
    private final Setup setup;
    private final Deque<Connection> idle = new ArrayDeque<>();
    private final List<Connection> all = new ArrayList<>();

    public PooledConnections(DataSource dataSource, Setup setup) {
        this.dataSource = dataSource;
        this.setup = setup;
    }

    /** A pool of this connection alone. */
    public static PooledConnections ofOne(Connection connection) {
        return new PooledConnections(new ConnectingDataSource(() -> connection), opened -> {});
    }

    /** Every connection that was ever handed out, as it is now. */
    public synchronized List<Connection> connections() {
        return List.copyOf(all);
    }

    public synchronized int lent() {
        return all.size() - idle.size();
    }

    @Override
    public synchronized Connection getConnection() throws SQLException {
        Connection connection = idle.isEmpty() ? opened() : idle.pop();
        return (Connection) Proxy.newProxyInstance(
                PooledConnections.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        giveBack(connection);
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private Connection opened() throws SQLException {
        Connection connection = dataSource.getConnection();
        setup.apply(connection);
        all.add(connection);
        return connection;
    }

    private synchronized void giveBack(Connection connection) {
        if (!idle.contains(connection)) {
            idle.push(connection);
        }
    }

    @Override
    public synchronized void close() throws SQLException {
        for (Connection connection : all) {
            connection.close();
        }
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException();
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
