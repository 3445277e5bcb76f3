package io.lanequeue.benchmark;

import io.lanequeue.benchmark.baseline.Payload;
import io.lanequeue.command.Session;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * B1: one statement appends many events to many lanes, with and without the triggers that keep the heads. To new lanes,
 * where each lane's head has to be added; and to lanes with a backlog, where each head is only looked at.
 */
final class BulkAppend implements Scenario {

    @Override
    public List<String> figures() {
        return List.of("B1");
    }

    @Override
    public Commits commits() {
        return Commits.NOT_AWAITED;
    }

    @Override
    public void measure(Lab lab, Results results) throws SQLException, InterruptedException {
        int lanes = lab.form().of(20, 1_000, 1_000);
        int events = lab.form().of(200, 10_000, 10_000);
        Turns turns = lab.form()
                .of(
                        new Turns(1, 2, Duration.ofSeconds(1)),
                        new Turns(5, 11, Duration.ofSeconds(10)),
                        new Turns(10, 60, Duration.ofMinutes(1)));
        try (ScratchDatabase ours = lab.database();
                ScratchDatabase plain = lab.databaseWithoutTriggers();
                Session session = ours.connect();
                Session plainSession = plain.connect()) {
            for (ScratchDatabase database : List.of(ours, plain)) {
                OutboxBacklog.fill(database, 0, lanes, 1);
                database.settle();
            }
            List<Latencies> found = turns.measure(List.of(
                    Append.toNewLanes(session, lanes, events),
                    Append.toNewLanes(plainSession, lanes, events),
                    Append.toSameLanes(session, lanes, events),
                    Append.toSameLanes(plainSession, lanes, events)));
            String words = "bulk append of %,d events over %,d %s ÷ without triggers";
            results.add(
                    Figure.ofLatencies("B1", words.formatted(events, lanes, "new lanes"), found.get(0), found.get(1))
                            .atMost(1.5));
            results.add(Figure.ofLatencies(
                            "B1.backlog",
                            words.formatted(events, lanes, "lanes with a backlog"),
                            found.get(2),
                            found.get(3))
                    .atMost(1.5));
        }
    }

    /** One bulk append after another, to the same lanes or to the next ones. */
    private static final class Append implements Round {

        private final OutboxProducer producer = new OutboxProducer();
        private final Session session;
        private final int lanes;
        private final int events;
        private final int step;
        private int calls;

        private Append(Session session, int lanes, int events, int step) {
            this.session = session;
            this.lanes = lanes;
            this.events = events;
            this.step = step;
        }

        static Append toNewLanes(Session session, int lanes, int events) {
            return new Append(session, lanes, events, lanes);
        }

        static Append toSameLanes(Session session, int lanes, int events) {
            return new Append(session, lanes, events, 0);
        }

        @Override
        public long nanos() {
            calls++;
            int first = calls * step;
            List<NewEvent> batch = IntStream.range(0, events)
                    .mapToObj(i -> NewEvent.of(first + i % lanes, calls, OutboxBacklog.EVENT_TYPE, Payload.of(calls)))
                    .toList();
            long start = System.nanoTime();
            producer.appendAll(session.dsl(), batch);
            return System.nanoTime() - start;
        }
    }
}
