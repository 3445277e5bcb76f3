package io.lanequeue.benchmark.baseline;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;

/** A queue of repositories' jobs without heads: a claim passes over the jobs of excluded repositories one by one. */
public final class ExclusionQueue {

    private static final String CLAIM = """
            UPDATE repo_jobs SET state = 'claimed', claimed_at = statement_timestamp()
            WHERE id IN (SELECT id FROM repo_jobs
                         WHERE state = 'enqueued' AND repo_id <> ALL (?)
                         ORDER BY id
                         LIMIT ?
                         FOR UPDATE SKIP LOCKED)
            RETURNING id, payload""";

    private static final String RELEASE =
            "UPDATE repo_jobs SET state = 'enqueued', claimed_at = NULL WHERE id = ANY (?)";

    private ExclusionQueue() {}

    /** Makes the table. */
    public static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("""
                    CREATE TABLE repo_jobs (
                        id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                        repo_id    text   NOT NULL,
                        payload    text   NOT NULL,
                        state      text   NOT NULL DEFAULT 'enqueued',
                        claimed_at timestamptz
                    ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)""");
            statement.execute("CREATE INDEX repo_jobs_enqueued_idx ON repo_jobs (id) WHERE state = 'enqueued'");
        }
    }

    /** Adds jobs of one repository. */
    public static void fill(Connection connection, String repo, int jobs) throws SQLException {
        String insert =
                "INSERT INTO repo_jobs (repo_id, payload) SELECT ?, " + Payload.SQL + " FROM generate_series(1, ?) i";
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setString(1, repo);
            statement.setInt(2, jobs);
            statement.executeUpdate();
        }
    }

    /** Adds jobs of many repositories, one of each in turn. */
    public static void fill(Connection connection, String prefix, int repos, int perRepo) throws SQLException {
        String insert = "INSERT INTO repo_jobs (repo_id, payload) SELECT ? || i % ?, " + Payload.SQL
                + " FROM generate_series(0, ? - 1) i";
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setString(1, prefix);
            statement.setInt(2, repos);
            statement.setInt(3, repos * perRepo);
            statement.executeUpdate();
        }
    }

    /** A worker that gives back; closes the connection when it is closed. */
    public static BatchConsumer consumer(Connection connection, Collection<String> excluded, int batch)
            throws SQLException {
        try (Statement statement = connection.createStatement()) {
            // As for the ordered queue.
            statement.execute("SET jit = off");
        }
        PreparedStatement claim = connection.prepareStatement(CLAIM);
        claim.setArray(1, connection.createArrayOf("text", excluded.toArray()));
        claim.setInt(2, batch);
        return RowBatches.of(connection, claim).releasing(RELEASE);
    }
}
