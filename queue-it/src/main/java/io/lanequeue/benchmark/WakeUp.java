package io.lanequeue.benchmark;

import io.lanequeue.schema.LanequeueSchema;
import io.lanequeue.worker.OutboxWorker;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * W2: how long after the commit of an append its handler starts, where the worker was idle: one that only polls, one
 * that is notified, and one that the application wakes. Appends come at random moments, to all of them at the same
 * time.
 */
final class WakeUp implements Scenario {

    /** Of these none is counted. They come at once, so the worker is not idle. */
    private static final int WARM_UP = 3;

    @Override
    public List<String> figures() {
        return List.of("W2");
    }

    @Override
    public void measure(Lab lab, Results results) throws SQLException, InterruptedException {
        // Who polls takes a while for each, so there are many, each with a share of the lanes.
        int pollers = lab.form().of(1, 20, 20);
        int perPoller = lab.form().of(2, 2, 18);
        int perWoken = lab.form().of(2, 25, 180);
        // After two seconds the pauses of a worker have their full length.
        Duration idleBeforeLook = lab.form().of(Duration.ofMillis(50), Duration.ofSeconds(2), Duration.ofSeconds(2));
        // The pauses are then so long that a look of its own hardly ever comes first.
        Duration idleBeforeWake = lab.form().of(Duration.ofMillis(20), Duration.ofMillis(200), Duration.ofMillis(200));
        var polled = new Latencies();
        var notified = new Latencies();
        var woken = new Latencies();
        try (ScratchDatabase shared = lab.database();
                ScratchDatabase notifying = lab.databaseWithNotifications();
                Group<Sleeper> polling = polling(shared, pollers);
                Sleeper listening = listening(notifying);
                Sleeper told = new Sleeper(shared, pollers, pollers + 1, UnaryOperator.identity(), OutboxWorker::wake);
                var team = new Team(pollers + 2)) {
            List<Callable<Void>> jobs = new ArrayList<>();
            for (Sleeper sleeper : polling.members()) {
                jobs.add(() -> wake(sleeper, perPoller, idleBeforeLook, polled));
            }
            jobs.add(() -> wake(listening, perWoken, idleBeforeWake, notified));
            jobs.add(() -> wake(told, perWoken, idleBeforeWake, woken));
            team.together(jobs);
        }
        results.add(Figure.alone(
                "W2.polling", "from the commit of an append to the start of its handler, by polling", polled));
        results.add(Figure.ofLatencies("W2.notify", "the same with notifications ÷ by polling", notified, polled));
        results.add(Figure.ofLatencies("W2.wake", "the same with wake() after the commit ÷ by polling", woken, polled));
    }

    /** They leave a share of the lanes for one more. */
    private static Group<Sleeper> polling(ScratchDatabase database, int number) throws SQLException {
        Iterator<Integer> numbers = IntStream.range(0, number).iterator();
        return Group.of(
                number,
                () -> new Sleeper(database, numbers.next(), number + 1, UnaryOperator.identity(), worker -> {}));
    }

    private static Sleeper listening(ScratchDatabase database) throws SQLException {
        return new Sleeper(
                database,
                0,
                1,
                worker -> worker.withNotifications(database.dataSource(), LanequeueSchema.standard()),
                worker -> {});
    }

    private static Void wake(Sleeper sleeper, int times, Duration idle, Latencies latencies)
            throws InterruptedException {
        for (int i = 0; i < WARM_UP; i++) {
            sleeper.nanos();
        }
        for (int i = 0; i < times; i++) {
            TimeUnit.NANOSECONDS.sleep(atLeast(idle));
            latencies.record(sleeper.nanos());
        }
        return null;
    }

    /** At random, up to half as much again: for those that poll the whole of a pause. */
    private static long atLeast(Duration time) {
        return ThreadLocalRandom.current().nextLong(time.toNanos(), time.toNanos() * 3 / 2);
    }
}
