package io.lanequeue.demo;

import static io.lanequeue.demo.EffectLoad.MONOREPO;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;

import io.lanequeue.command.Beat;
import io.lanequeue.command.Crew;
import io.lanequeue.command.Pace;
import io.lanequeue.command.Stopwatch;
import io.lanequeue.effects.EffectOperator;
import io.lanequeue.effects.RepoCounts;
import io.lanequeue.effects.WaitingRepo;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;

/** The load and two dispatchers at work, from the first effect until nothing is left. */
final class EffectShift {

    private static final long LOOK_MILLIS = 100;

    private final EffectOperator operator = new EffectOperator();
    private final EffectTally tally = new EffectTally();
    private final DemoDatabase database;
    private final int backlog;
    private final int repositories;
    private final int cap;
    private final PrintWriter out;

    EffectShift(DemoDatabase database, int backlog, int repositories, int cap, PrintWriter out) {
        this.database = database;
        this.backlog = backlog;
        this.repositories = repositories;
        this.cap = cap;
        this.out = out;
    }

    EffectTally tally() {
        return tally;
    }

    /** Enqueues the backlog, then has everything done; returns how fast that was. */
    Pace work(DSLContext dsl) throws InterruptedException {
        var load = new EffectLoad(database, tally, repositories - 1);
        var enqueueing = new Stopwatch();
        load.enqueueBacklog(dsl, backlog);
        out.println(
                "Enqueued in front: " + new Pace(backlog, enqueueing.elapsed()).of("effects") + ", all of " + MONOREPO);
        try (var crew = new Crew()) {
            var enough = new CountDownLatch(1);
            var died = new CountDownLatch(1);
            var stopwatch = new Stopwatch();
            var beat = new Beat(stopwatch, Progress.INTERVAL);
            Future<?> enqueue = crew.start(() -> load.enqueueNowAndThen(enough));
            startDispatchers(crew, died);
            while (isBusy(dsl) || died.getCount() > 0) {
                look(dsl, crew, beat);
            }
            enough.countDown();
            while (!enqueue.isDone() || dsl.fetchExists(EFFECT_QUEUE, EffectTables.isNotOver())) {
                look(dsl, crew, beat);
            }
            var pace = new Pace(tally.completed().get(), stopwatch.elapsed());
            print(dsl, beat);
            crew.finish();
            return pace;
        }
    }

    /** The one that lives waits in the middle until the other has died, so that there is something left to die with. */
    private void startDispatchers(Crew crew, CountDownLatch died) {
        var living = new Dispatcher(database, tally, "dispatcher-1", cap, crew.stop());
        var dying = new Dispatcher(database, tally, "dispatcher-that-dies", cap, crew.stop());
        crew.start(() -> living.work(this::isInTheMiddle, died));
        crew.start(() -> dying.workAndDie(this::isInTheMiddle, died));
    }

    private boolean isInTheMiddle() {
        return tally.completedOfMonorepo().get() * 2 >= backlog;
    }

    private boolean isBusy(DSLContext dsl) {
        RepoCounts counts = operator.counts(dsl, MONOREPO, 1);
        return counts.scheduled() + counts.enqueued() + counts.inFlight() > 0;
    }

    private void look(DSLContext dsl, Crew crew, Beat beat) throws InterruptedException {
        crew.stop().await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        crew.check();
        if (beat.isDue()) {
            print(dsl, beat);
        }
    }

    private void print(DSLContext dsl, Beat beat) {
        List<WaitingRepo> small = operator.oldestWaiting(dsl, EffectOperator.MAX_BATCH).stream()
                .filter(repo -> !repo.repoId().equals(MONOREPO))
                .toList();
        Duration longest = small.stream()
                .map(WaitingRepo::waiting)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        out.println(String.format(
                Locale.ROOT,
                "%s  enqueued %,9d  completed %,9d, %,9d of %s (%d in flight)  small repositories waiting: %,d, longest"
                        + " %,d ms",
                beat.next(),
                tally.enqueued().get(),
                tally.completed().get(),
                tally.completedOfMonorepo().get(),
                MONOREPO,
                operator.counts(dsl, MONOREPO, 1).inFlight(),
                small.size(),
                longest.toMillis()));
    }
}
