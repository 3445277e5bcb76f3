package io.lanequeue.testing;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.ds.PGSimpleDataSource;

/** A data source that connects in a way of a test's own. */
public final class ConnectingDataSource extends PGSimpleDataSource {

    private static final long serialVersionUID = 1L;

    private final transient Way way;

    public ConnectingDataSource(Way way) {
        this.way = way;
    }

    /** Makes a connection, or does not. */
    @FunctionalInterface
    public interface Way {
        Connection connect() throws SQLException;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return way.connect();
    }
}
