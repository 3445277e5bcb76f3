package io.lanequeue.benchmark;

import io.lanequeue.command.Session;
import io.lanequeue.outbox.ClaimRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * B13: how large the heads' table and its indexes are after a time of steady load, beside after a tenth of that time.
 */
final class SteadySize implements Scenario {

    private static final int TENTHS = 10;
    private static final double MEGABYTE = 1024.0 * 1024.0;

    @Override
    public List<String> figures() {
        return List.of("B13");
    }

    @Override
    public void measure(Lab lab, Results results) throws SQLException, InterruptedException {
        int lanes = lab.form().of(1_000, 50_000, 50_000);
        Duration time = lab.form().of(Duration.ofMillis(500), Duration.ofSeconds(10), Duration.ofMinutes(10));
        ClaimRequest request = ClaimRequest.by("benchmark").withLanes(SteadyLoad.BATCH);
        List<Double> sizes = new ArrayList<>();
        try (ScratchDatabase database = lab.database();
                Session producer = database.connect();
                Connection observer = database.connection();
                var load = new SteadyLoad(
                        new OutboxLoad(producer, lanes, 0), new OutboxBatches(database.connect(), request))) {
            for (int i = 0; i < TENTHS; i++) {
                load.run(time.dividedBy(TENTHS));
                sizes.add(megabytesOfHeads(observer));
            }
        }
        Figure growth = Figure.ratio(
                "B13",
                "heads and their indexes after %d s at %,d events/s over %,d lanes ÷ after a tenth of it"
                        .formatted(time.toSeconds(), SteadyLoad.PER_SECOND, lanes),
                Measure.of(sizes.get(TENTHS - 1)),
                Measure.of(sizes.get(0)),
                "MB");
        // Autovacuum comes once a minute: what a shorter run says is of the time before it.
        results.add(lab.form() == Form.FULL ? growth.atMost(1.5) : growth);
    }

    private static double megabytesOfHeads(Connection observer) throws SQLException {
        String heads = "'lanequeue.dispatch_outbox_user_heads'";
        String query = "SELECT pg_relation_size(" + heads + ") + pg_indexes_size(" + heads + ")";
        try (Statement statement = observer.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            result.next();
            return result.getLong(1) / MEGABYTE;
        }
    }
}
