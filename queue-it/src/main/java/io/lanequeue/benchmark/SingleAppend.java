package io.lanequeue.benchmark;

import io.lanequeue.benchmark.baseline.Payload;
import io.lanequeue.command.Session;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * B2: several connections append one event per transaction, with and without the triggers that keep the heads. To new
 * lanes, where each lane's head has to be added; and to lanes with a backlog. Where commits wait for the disk, and
 * where they do not.
 */
final class SingleAppend implements Scenario {

    private static final int CONNECTIONS = 4;
    private static final int LANES_WITH_BACKLOG = 1_000;

    private final OutboxProducer producer = new OutboxProducer();
    private final Commits commits;

    SingleAppend(Commits commits) {
        this.commits = commits;
    }

    @Override
    public List<String> figures() {
        return List.of("B2");
    }

    @Override
    public Commits commits() {
        return commits;
    }

    @Override
    public void measure(Lab lab, Results results) throws SQLException, InterruptedException {
        int appends = lab.form().of(5, 150, 500);
        Turns turns = lab.form()
                .of(
                        new Turns(1, 2, Duration.ofSeconds(1)),
                        new Turns(3, 7, Duration.ofSeconds(5)),
                        new Turns(5, 25, Duration.ofSeconds(30)));
        try (ScratchDatabase ours = lab.database();
                ScratchDatabase plain = lab.databaseWithoutTriggers();
                var team = new Team(CONNECTIONS)) {
            for (ScratchDatabase database : List.of(ours, plain)) {
                OutboxBacklog.fill(database, 0, LANES_WITH_BACKLOG, 1);
                database.settle();
            }
            try (Group<Session> sessions = Group.of(CONNECTIONS, ours::connect);
                    Group<Session> plainSessions = Group.of(CONNECTIONS, plain::connect)) {
                List<Latencies> found = turns.measure(List.of(
                        toNewLanes(team, sessions, appends),
                        toNewLanes(team, plainSessions, appends),
                        toLanesWithBacklog(team, sessions, appends),
                        toLanesWithBacklog(team, plainSessions, appends)));
                String words = "%,d appends of one event per transaction on %d connections to %s ÷ without triggers";
                int events = CONNECTIONS * appends;
                results.add(Figure.ofLatencies(
                                id("B2"), words.formatted(events, CONNECTIONS, "new lanes"), found.get(0), found.get(1))
                        .atMost(1.8));
                results.add(Figure.ofLatencies(
                                id("B2.backlog"),
                                words.formatted(events, CONNECTIONS, "lanes with a backlog"),
                                found.get(2),
                                found.get(3))
                        .atMost(1.8));
            }
        }
    }

    private String id(String figure) {
        return commits == Commits.AWAITED ? figure : figure + ".not-awaited";
    }

    private Round toNewLanes(Team team, Group<Session> sessions, int appends) {
        var lane = new AtomicInteger(LANES_WITH_BACKLOG);
        return () -> append(team, sessions, appends, lane::getAndIncrement);
    }

    private Round toLanesWithBacklog(Team team, Group<Session> sessions, int appends) {
        return () -> append(
                team, sessions, appends, () -> ThreadLocalRandom.current().nextInt(LANES_WITH_BACKLOG));
    }

    private long append(Team team, Group<Session> sessions, int appends, IntSupplier lanes)
            throws InterruptedException {
        List<Callable<Void>> jobs = sessions.members().stream()
                .map(session -> (Callable<Void>) () -> {
                    for (int i = 0; i < appends; i++) {
                        producer.append(
                                session.dsl(),
                                NewEvent.of(lanes.getAsInt(), 1, OutboxBacklog.EVENT_TYPE, Payload.of(i)));
                    }
                    return null;
                })
                .toList();
        long start = System.nanoTime();
        team.together(jobs);
        return System.nanoTime() - start;
    }
}
