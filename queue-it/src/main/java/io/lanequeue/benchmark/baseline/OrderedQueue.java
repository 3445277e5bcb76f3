package io.lanequeue.benchmark.baseline;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * An ordered queue without heads: the lease stands on the message, and the first message of each lane is found anew by
 * every claim. The one index beside the primary key is the one that each {@link HeadFinder} wants.
 */
public final class OrderedQueue {

    private static final String COMPLETE = "DELETE FROM messages WHERE id = ANY (?)";
    private static final String RELEASE = "UPDATE messages SET leased_until = '-infinity' WHERE id = ANY (?)";

    private OrderedQueue() {}

    /** Makes the table, vacuumed as the library's own are; with room on its pages for the updates of claims. */
    public static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("""
                    CREATE TABLE messages (
                        id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                        lane         bigint      NOT NULL,
                        pts          integer     NOT NULL,
                        payload      jsonb       NOT NULL,
                        leased_until timestamptz NOT NULL DEFAULT '-infinity',
                        attempts     integer     NOT NULL DEFAULT 0
                    ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)""");
            statement.execute("CREATE INDEX messages_lane_idx ON messages (lane, pts, id)");
        }
    }

    /** Adds messages to the lanes from {@code first} on, one to each in turn. */
    public static void fill(Connection connection, int first, int lanes, int perLane) throws SQLException {
        String insert = "INSERT INTO messages (lane, pts, payload) SELECT ? + i % ?, i / ?, " + Payload.SQL
                + " FROM generate_series(0, ? - 1) i";
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setInt(1, first);
            statement.setInt(2, lanes);
            statement.setInt(3, lanes);
            statement.setInt(4, lanes * perLane);
            statement.executeUpdate();
        }
    }

    /** Leases the first messages of the lanes below {@code lanes} for an hour, as other workers would. */
    public static void hold(Connection connection, int lanes) throws SQLException {
        String update = "UPDATE messages SET leased_until = statement_timestamp() + interval '1 hour'"
                + " WHERE lane < ? AND pts = 0";
        try (PreparedStatement statement = connection.prepareStatement(update)) {
            statement.setInt(1, lanes);
            statement.executeUpdate();
        }
    }

    /**
     * A worker; closes the connection when it is closed.
     *
     * @param limit a claim that takes longer is ended by the server
     */
    public static BatchConsumer consumer(Connection connection, HeadFinder finder, int batch, Duration limit)
            throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET statement_timeout = " + limit.toMillis());
            // The finders that sort first messages do it in memory.
            statement.execute("SET work_mem = '64MB'");
            // Where the server has it, compiling a plan that is expected to be expensive would cost each claim more.
            statement.execute("SET jit = off");
        }
        String claim =
                "UPDATE messages SET leased_until = statement_timestamp() + interval '30 s', attempts = attempts + 1"
                        + " WHERE ctid = ANY (ARRAY (" + finder.places() + ")) RETURNING id, payload, lane, pts";
        return RowBatches.of(connection, batch, claim).completing(COMPLETE).releasing(RELEASE);
    }
}
