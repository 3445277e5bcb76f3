package io.lanequeue.soak;

import io.lanequeue.command.CommandFailedException;
import io.lanequeue.command.Stopwatch;
import io.lanequeue.command.TemporaryDirectory;
import io.lanequeue.devdb.DurablePostgres;
import io.lanequeue.schema.LanequeueSchema;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.postgresql.ds.PGSimpleDataSource;

/** A durable server of the soak's own, in a directory that goes with it, and who is connected to it. Thread-safe. */
final class SoakDatabase implements AutoCloseable {

    /** By this name the soak's connections are found in the server's views. */
    static final String APPLICATION = "lanequeue-soak";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(20);

    private final TemporaryDirectory directory;
    private final DurablePostgres server;
    private final PGSimpleDataSource dataSource;
    private final List<Client> clients = new CopyOnWriteArrayList<>();

    private SoakDatabase(TemporaryDirectory directory, DurablePostgres server) {
        this.directory = directory;
        this.server = server;
        this.dataSource = server.dataSource();
        dataSource.setApplicationName(APPLICATION);
    }

    /** Starts it, with the queues' schema. */
    static SoakDatabase start() throws IOException {
        TemporaryDirectory directory = TemporaryDirectory.create("lanequeue-soak");
        DurablePostgres server = DurablePostgres.create(directory.path());
        server.start();
        var database = new SoakDatabase(directory, server);
        LanequeueSchema.standard().migrate(database.dataSource);
        try (Client client = database.client()) {
            Witness.createTable(client.dsl());
        }
        return database;
    }

    /** Where it is, for those who want to look, or to disturb. */
    String url() {
        return dataSource.getURL() + "&user=" + dataSource.getUser();
    }

    /** A new client. */
    Client client() {
        var client = new Client(this::connect);
        clients.add(client);
        return client;
    }

    List<Client> clients() {
        return clients;
    }

    /** A new connection. Waits while the server is down. */
    Connection connect() {
        var stopwatch = new Stopwatch();
        while (true) {
            try {
                return dataSource.getConnection();
            } catch (SQLException e) {
                if (Refusal.of(e) != Refusal.LOST_CONNECTION
                        || stopwatch.elapsed().compareTo(PATIENCE) > 0) {
                    throw new CommandFailedException("No connection to the soak's server", e);
                }
                LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
            }
        }
    }

    /** SIGKILL to all processes of the server; returns when it takes connections again. From one thread only. */
    void killAndRestart() {
        server.kill();
        server.start();
    }

    @Override
    public void close() {
        clients.forEach(Client::close);
        server.close();
        directory.close();
    }
}
