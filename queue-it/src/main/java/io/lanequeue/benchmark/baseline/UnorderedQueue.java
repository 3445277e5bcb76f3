package io.lanequeue.benchmark.baseline;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The usual queue without order: one table with an index on when each job is available, jobs leased {@code FOR UPDATE
 * SKIP LOCKED} by moving that moment, and deleted when done.
 *
 * <p>Without that index, by the primary key alone, an update of a claim would stay on its page; but then claims walk
 * over what was deleted since the last vacuum, and it was slower.
 */
public final class UnorderedQueue {

    private static final String CLAIM = """
            UPDATE jobs SET available_at = statement_timestamp() + interval '30 s', attempts = attempts + 1
            WHERE ctid = ANY (ARRAY (SELECT ctid FROM jobs
                                     WHERE available_at <= statement_timestamp()
                                     ORDER BY available_at, id
                                     LIMIT ?
                                     FOR UPDATE SKIP LOCKED))
            RETURNING id, payload""";

    private static final String COMPLETE = "DELETE FROM jobs WHERE id = ANY (?)";

    private UnorderedQueue() {}

    /** Makes the table, vacuumed as the library's own are. */
    public static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("""
                    CREATE TABLE jobs (
                        id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                        payload      jsonb       NOT NULL,
                        available_at timestamptz NOT NULL DEFAULT clock_timestamp(),
                        attempts     integer     NOT NULL DEFAULT 0
                    ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)""");
            statement.execute("CREATE INDEX jobs_available_idx ON jobs (available_at, id)");
        }
    }

    /** Adds jobs. */
    public static void fill(Connection connection, int jobs) throws SQLException {
        String insert = "INSERT INTO jobs (payload) SELECT " + Payload.SQL + " FROM generate_series(1, ?) i";
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setInt(1, jobs);
            statement.executeUpdate();
        }
    }

    /** A worker that drains; closes the connection when it is closed. */
    public static BatchConsumer consumer(Connection connection, int batch) throws SQLException {
        return RowBatches.of(connection, batch, CLAIM).completing(COMPLETE);
    }
}
