package com.example.orders;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** The Postgres of the tests, started with the first database that one asks for. */
final class OrdersServer {

    private static final EmbeddedPostgres SERVER = start();
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private OrdersServer() {}

    private static EmbeddedPostgres start() {
        try {
            // One directory per user: binaries that root unpacked cannot be used by others.
            Path directory =
                    Path.of(System.getProperty("java.io.tmpdir"), "orders-postgres-" + System.getProperty("user.name"));
            return EmbeddedPostgres.builder()
                    .setOverrideWorkingDirectory(directory.toFile())
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException("The Postgres of the tests did not start", e);
        }
    }

    /** A new database that the service has migrated. */
    static DataSource migratedDatabase() {
        String name = "orders_" + DATABASES.incrementAndGet();
        try (Connection connection = SERVER.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException("No database " + name, e);
        }
        DataSource dataSource = SERVER.getDatabase("postgres", name);
        OrderSchemas.migrate(dataSource);
        return dataSource;
    }
}
