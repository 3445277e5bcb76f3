package io.lanequeue.benchmark;

import io.lanequeue.command.TemporaryDirectory;
import io.lanequeue.devdb.DurablePostgres;
import io.lanequeue.schema.LanequeueSchema;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A durable server of the benchmark's own, in a directory that goes with it. It makes databases with the library's
 * tables.
 */
final class BenchmarkServer implements AutoCloseable {

    /** So large that a million lanes are no benchmark of a disk, and no checkpoint begins by itself while measuring. */
    private static final String[] SETTINGS = {"shared_buffers=1GB", "max_wal_size=8GB", "checkpoint_timeout=30min"};

    private static final List<String> TOLD = List.of(
            "server_version",
            "shared_buffers",
            "max_wal_size",
            "checkpoint_timeout",
            "fsync",
            "synchronous_commit",
            "full_page_writes",
            "autovacuum_naptime");

    private static final String TEMPLATE = "lanequeue_template";

    private final TemporaryDirectory directory;
    private final DurablePostgres server;
    private int databases;

    private BenchmarkServer(TemporaryDirectory directory, DurablePostgres server) {
        this.directory = directory;
        this.server = server;
    }

    static BenchmarkServer start() throws IOException, SQLException {
        TemporaryDirectory directory = TemporaryDirectory.create("lanequeue-benchmark");
        DurablePostgres postgres = DurablePostgres.create(directory.path(), SETTINGS);
        postgres.start();
        var server = new BenchmarkServer(directory, postgres);
        server.execute("CREATE DATABASE " + TEMPLATE);
        LanequeueSchema.standard().migrate(server.connectionsTo(TEMPLATE));
        return server;
    }

    /** A new database with the library's tables, empty. */
    PGSimpleDataSource createDatabase(Commits commits) throws SQLException {
        databases++;
        String name = "benchmark_" + databases;
        execute("CREATE DATABASE " + name + " TEMPLATE " + TEMPLATE);
        execute("ALTER DATABASE " + name + " SET synchronous_commit = " + commits.setting());
        return connectionsTo(name);
    }

    /** Drops a database that was made here. */
    void drop(PGSimpleDataSource database) throws SQLException {
        execute("DROP DATABASE " + database.getDatabaseName() + " WITH (FORCE)");
    }

    /** What the server says of itself. */
    Map<String, String> settings() throws SQLException {
        Map<String, String> settings = new LinkedHashMap<>();
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String name : TOLD) {
                settings.put(name, string(statement, "SHOW " + name));
            }
            // How its programs are optimized is part of what is measured.
            settings.put("cflags", string(statement, "SELECT setting FROM pg_config WHERE name = 'CFLAGS'"));
        }
        return settings;
    }

    private static String string(Statement statement, String query) throws SQLException {
        try (ResultSet result = statement.executeQuery(query)) {
            result.next();
            return result.getString(1);
        }
    }

    private PGSimpleDataSource connectionsTo(String database) {
        PGSimpleDataSource dataSource = server.dataSource();
        dataSource.setDatabaseName(database);
        return dataSource;
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        server.close();
        directory.close();
    }
}
