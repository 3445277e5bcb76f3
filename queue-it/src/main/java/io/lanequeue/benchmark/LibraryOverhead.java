package io.lanequeue.benchmark;

import io.lanequeue.command.CommandFailedException;
import io.lanequeue.command.Session;
import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.OutboxConsumer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * B10: a claim and its completion through the library, beside the same statements with the same values through plain
 * JDBC, which reads all that they return.
 */
final class LibraryOverhead implements Scenario {

    private final OutboxConsumer consumer = new OutboxConsumer();

    @Override
    public List<String> figures() {
        return List.of("B10");
    }

    @Override
    public Commits commits() {
        return Commits.NOT_AWAITED;
    }

    @Override
    public void measure(Lab lab, Results results) throws SQLException, InterruptedException {
        compare(lab, results, 1, "B10.batch1", 1.5);
        compare(lab, results, 100, "B10.batch100", 1.15);
    }

    private void compare(Lab lab, Results results, int batch, String id, double target)
            throws SQLException, InterruptedException {
        Turns turns = lab.form()
                .of(
                        new Turns(2, 3, Duration.ofSeconds(1)),
                        new Turns(100, 201, Duration.ofSeconds(10)),
                        new Turns(500, 1_000, Duration.ofSeconds(60)));
        // What plain JDBC claims stays leased, so there have to be enough lanes for all rounds.
        int lanes = 4 * batch * (turns.warmUp() + turns.rounds());
        try (ScratchDatabase database = lab.database();
                Session session = database.connect()) {
            OutboxBacklog.fill(database, 0, lanes, 1);
            database.settle();
            ClaimRequest request = ClaimRequest.by("benchmark").withLanes(batch);
            List<Latencies> found =
                    turns.measure(List.of(() -> throughLibrary(session, request), () -> throughJdbc(session, request)));
            results.add(Figure.ofLatencies(
                            id,
                            "claim and completion of %d lanes, library call ÷ its SQL through plain JDBC"
                                    .formatted(batch),
                            found.get(0),
                            found.get(1))
                    .atMost(target));
        }
    }

    private long throughLibrary(Session session, ClaimRequest request) {
        long start = System.nanoTime();
        Claim claim = consumer.claim(session.dsl(), request);
        consumer.complete(session.dsl(), claim);
        return System.nanoTime() - start;
    }

    private long throughJdbc(Session session, ClaimRequest request) throws SQLException {
        PlainStatement claim = PlainStatement.of(listening -> consumer.claim(listening, request));
        long claiming = time(session, claim);
        // The completion is of another claim, made by the library and not measured, whose values it binds.
        Claim other = consumer.claim(session.dsl(), request);
        PlainStatement complete = PlainStatement.of(listening -> consumer.complete(listening, other));
        return claiming + time(session, complete);
    }

    private static long time(Session session, PlainStatement statement) throws SQLException {
        long start = System.nanoTime();
        int rows = statement.run(session.connection());
        long time = System.nanoTime() - start;
        if (rows == 0) {
            throw new CommandFailedException("A statement did nothing through plain JDBC");
        }
        return time;
    }
}
