package io.lanequeue.benchmark.baseline;

import static java.util.Objects.requireNonNull;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A worker of a queue that leases its rows: a statement claims rows and returns their ids first, others complete them
 * or give them back by their ids.
 */
final class RowBatches implements BatchConsumer {

    private final Connection connection;
    private final PreparedStatement claim;
    private final @Nullable PreparedStatement complete;
    private final @Nullable PreparedStatement release;
    private List<Row> claimed = List.of();

    private RowBatches(
            Connection connection,
            PreparedStatement claim,
            @Nullable PreparedStatement complete,
            @Nullable PreparedStatement release) {
        this.connection = connection;
        this.claim = claim;
        this.complete = complete;
        this.release = release;
    }

    /** @param claim has the number of rows as its parameter; returns {@code id} and {@code payload} */
    static RowBatches of(Connection connection, int batch, String claim) throws SQLException {
        PreparedStatement prepared = connection.prepareStatement(claim);
        prepared.setInt(1, batch);
        return of(connection, prepared);
    }

    /** @param claim with its parameters set; returns {@code id} and {@code payload} */
    static RowBatches of(Connection connection, PreparedStatement claim) {
        return new RowBatches(connection, claim, null, null);
    }

    /** @param sql has the ids as its parameter */
    RowBatches completing(String sql) throws SQLException {
        return new RowBatches(connection, claim, connection.prepareStatement(sql), release);
    }

    /** @param sql has the ids as its parameter */
    RowBatches releasing(String sql) throws SQLException {
        return new RowBatches(connection, claim, complete, connection.prepareStatement(sql));
    }

    @Override
    public int claim() throws SQLException {
        List<Row> rows = new ArrayList<>();
        try (ResultSet result = claim.executeQuery()) {
            while (result.next()) {
                rows.add(new Row(result.getLong(1), result.getString(2)));
            }
        }
        claimed = rows;
        return rows.size();
    }

    @Override
    public void complete() throws SQLException {
        byIds(requireNonNull(complete, "it only claims and releases"));
    }

    @Override
    public void release() throws SQLException {
        byIds(requireNonNull(release, "it only claims and completes"));
    }

    private void byIds(PreparedStatement statement) throws SQLException {
        Array ids =
                connection.createArrayOf("bigint", claimed.stream().map(Row::id).toArray(Long[]::new));
        statement.setArray(1, ids);
        statement.executeUpdate();
        ids.free();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    /** What a worker gets of a row. */
    private record Row(long id, String payload) {}
}
