package io.lanequeue.testing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.tools.jdbc.DefaultConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** A pool as services have one: closing gives the connection back as it is, for the next one who asks. */
public final class PooledConnections extends PGSimpleDataSource implements AutoCloseable {

    private static final long serialVersionUID = 1L;

    /** How a new connection is set up. */
    public interface Setup {
        void apply(Connection connection) throws SQLException;
    }

    private final transient DataSource dataSource;
    private final transient Setup setup;
    private final transient Deque<Connection> idle = new ArrayDeque<>();
    private final transient List<Connection> all = new ArrayList<>();

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
        return new DefaultConnection(connection) {
            @Override
            public void close() {
                giveBack(connection);
            }
        };
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
}
