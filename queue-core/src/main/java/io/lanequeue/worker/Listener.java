package io.lanequeue.worker;

import io.lanequeue.schema.LanequeueSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens, on a thread and a connection of its own, and wakes the worker when something was inserted into its table. It
 * only ever adds looks: the worker takes those of its own all the same, so a notification that is lost, or a connection
 * that is, costs no more than the wait for the next one.
 *
 * <p>After a while of silence it asks the server for a sign of life, so a half-open connection is noticed; it then
 * connects again, and wakes the worker for what it may have missed.
 *
 * <p><b>Thread safety.</b> {@link #close} may be called from any thread. It closes the companion before it looks for
 * the connection, and the listener's thread shows its connection before it looks whether the companion is closed; so
 * one of them sees the other, and the connection is cut.
 */
final class Listener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

    private final DataSource dataSource;
    private final String channel;
    private final String table;
    private final Duration patience;
    private final Runnable wake;
    private final Companion companion = new Companion();
    private volatile @Nullable Connection present;

    /** @param patience how long it is silent until it asks for a sign of life, and how long it then waits for that */
    Listener(DataSource dataSource, LanequeueSchema schema, String table, Duration patience, Runnable wake) {
        this.dataSource = dataSource;
        this.channel = schema.name();
        this.table = table;
        this.patience = patience;
        this.wake = wake;
    }

    void start(String worker) {
        companion.start(
                "lanequeue-listener-" + worker,
                this::listen,
                e -> LOG.warn("Not listening for notifications; the worker polls, and it is tried again", e));
    }

    /** Returns when the connection has gone silent for good. */
    private void listen() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            PGConnection notified = connection.unwrap(PGConnection.class);
            present = connection;
            try {
                hear(connection, notified);
            } finally {
                connection.abort(Runnable::run); // a pool would hand on a session that listens
            }
        } finally {
            present = null;
        }
    }

    private void hear(Connection connection, PGConnection notified) throws SQLException {
        connection.setAutoCommit(true);
        try (Statement statement = connection.createStatement()) {
            statement.execute("listen \"" + channel + "\"");
        }
        companion.succeeds();
        LOG.debug("Listening on {}", channel);
        wake.run();
        boolean alive = true;
        while (alive && !companion.isClosed()) {
            PGNotification[] notifications = notified.getNotifications((int) patience.toMillis());
            if (notifications == null || notifications.length == 0) {
                alive = companion.isClosed() || connection.isValid(Math.max(1, (int) patience.toSeconds()));
            } else {
                wakeFor(notifications);
            }
        }
    }

    private void wakeFor(PGNotification[] notifications) {
        for (PGNotification notification : notifications) {
            if (notification.getParameter().equals(table)) {
                wake.run();
                return;
            }
        }
    }

    @Override
    public void close() {
        companion.close();
        Connection connection = present;
        if (connection != null) {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.debug("The listening connection was not cut; it ends by itself", e);
            }
        }
    }
}
