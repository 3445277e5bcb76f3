package io.lanequeue.devdb;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * A running Postgres for development: the one that {@code lanequeue.postgres.url} names, else a container where a
 * container engine answers, else an embedded server from Maven artifacts.
 *
 * <p>A given server needs a role that may create databases; the tests need a superuser. {@link #close()} ends the
 * server if it was started here, else it drops the databases made here. Thread-safe.
 */
public final class DevPostgres implements AutoCloseable {

    /** System property that names a running server, as a JDBC URL with user and password. */
    public static final String URL_PROPERTY = "lanequeue.postgres.url";

    private final PGSimpleDataSource server;
    private final @Nullable AutoCloseable started;
    private final List<String> databases = new ArrayList<>();

    /** A server, and what ends it if it was started here. */
    private DevPostgres(PGSimpleDataSource server, @Nullable AutoCloseable started) {
        this.server = server;
        this.started = started;
    }

    /**
     * Starts a server, or connects to the given one.
     *
     * @param major the PostgreSQL major version of a container; the embedded one comes with the class path
     */
    public static DevPostgres start(String major) {
        String url = System.getProperty(URL_PROPERTY, "");
        if (!url.isBlank()) {
            return new DevPostgres(dataSource(url), null);
        }
        return containerEngineAnswers() ? startContainer(major) : startEmbedded();
    }

    private static DevPostgres startContainer(String major) {
        var container = new PostgreSQLContainer("postgres:" + major + "-alpine");
        container.start();
        PGSimpleDataSource server = dataSource(container.getJdbcUrl());
        server.setUser(container.getUsername());
        server.setPassword(container.getPassword());
        return new DevPostgres(server, container::stop);
    }

    private static DevPostgres startEmbedded() {
        try {
            EmbeddedPostgres embedded = EmbeddedServers.builder()
                    .setServerConfig("max_connections", "200")
                    .start();
            return new DevPostgres(dataSource(embedded.getJdbcUrl("postgres", "postgres")), embedded);
        } catch (IOException | IllegalStateException e) {
            throw new IllegalStateException(
                    "The embedded Postgres did not start. Where root may not create a user namespace it cannot: run the"
                            + " build as a normal user, start a container engine, or name a running server with -D"
                            + URL_PROPERTY + "=jdbc:postgresql://host/database?user=...&password=...",
                    e);
        }
    }

    /** Whether an engine is there, without Testcontainers' error log where there is none. */
    private static boolean containerEngineAnswers() {
        boolean configured = System.getenv("DOCKER_HOST") != null || Files.exists(Path.of("/var/run/docker.sock"));
        return configured && DockerClientFactory.instance().isDockerAvailable();
    }

    private static PGSimpleDataSource dataSource(String url) {
        var dataSource = new PGSimpleDataSource();
        dataSource.setUrl(url);
        return dataSource;
    }

    /** Creates an empty database; returns connections to it. */
    public PGSimpleDataSource createDatabase() {
        return createDatabase(null);
    }

    /** Creates a copy of a database that nobody is connected to; returns connections to the copy. */
    public PGSimpleDataSource createCopyOf(PGSimpleDataSource template) {
        return createDatabase(template.getDatabaseName());
    }

    private synchronized PGSimpleDataSource createDatabase(@Nullable String template) {
        String name = "lanequeue_" + UUID.randomUUID().toString().replace("-", "");
        execute("CREATE DATABASE " + name + (template == null ? "" : " TEMPLATE " + template));
        databases.add(name);
        return connectionsTo(name);
    }

    private PGSimpleDataSource connectionsTo(String database) {
        PGSimpleDataSource dataSource = dataSource(server.getURL());
        dataSource.setUser(server.getUser());
        dataSource.setPassword(server.getPassword());
        dataSource.setDatabaseName(database);
        return dataSource;
    }

    private void execute(String sql) {
        try (Connection connection = server.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("Could not run on the development Postgres: " + sql, e);
        }
    }

    /** Ends the server if it was started here, else drops the databases made here. */
    @Override
    public synchronized void close() {
        if (started == null) {
            databases.forEach(name -> execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)"));
            databases.clear();
            return;
        }
        try {
            started.close();
        } catch (Exception e) {
            throw new IllegalStateException("The development Postgres did not stop", e);
        }
    }
}
