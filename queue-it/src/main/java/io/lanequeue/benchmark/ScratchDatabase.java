package io.lanequeue.benchmark;

import io.lanequeue.command.Session;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.postgresql.ds.PGSimpleDataSource;

/** A database for one set of data, dropped on {@link #close()}. */
final class ScratchDatabase implements AutoCloseable {

    private final BenchmarkServer server;
    private final PGSimpleDataSource dataSource;

    ScratchDatabase(BenchmarkServer server, PGSimpleDataSource dataSource) {
        this.server = server;
        this.dataSource = dataSource;
    }

    /** A new connection, in autocommit. */
    Connection connection() throws SQLException {
        return dataSource.getConnection();
    }

    /** A new connection, in autocommit, with jOOQ on it. */
    Session connect() throws SQLException {
        Connection connection = connection();
        return new Session(connection, DSL.using(connection, SQLDialect.POSTGRES));
    }

    /** For what takes connections itself. */
    DataSource dataSource() {
        return dataSource;
    }

    /** Runs a statement on a connection of its own. */
    void execute(String sql) throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Brings the tables into the state of a queue that has been standing for a while, after a load of data. */
    void settle() throws SQLException {
        execute("VACUUM (FREEZE, ANALYZE) " + tables());
        execute("CHECKPOINT");
    }

    private String tables() throws SQLException {
        String query = "SELECT string_agg(format('%I.%I', schemaname, tablename), ', ') FROM pg_tables"
                + " WHERE schemaname IN ('lanequeue', 'public')";
        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            result.next();
            return result.getString(1);
        }
    }

    @Override
    public void close() throws SQLException {
        server.drop(dataSource);
    }
}
