package io.lanequeue.soak;

import io.lanequeue.command.Crew;
import io.lanequeue.command.Stopwatch;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A soak from the first event to the close of the books. */
final class SoakRun {

    private static final int SAMPLES = 240;
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(500);
    private static final long LOOK_MILLIS = 50;

    /** A snapshot is held for the time of so many faults. */
    private static final int FAULTS_PER_SNAPSHOT = 4;

    /** What is left counts as stuck when it has not moved for so long. */
    private static final Duration STUCK = Duration.ofSeconds(20);

    private final Plan plan;
    private final SoakDatabase database;
    private final Books books;
    private final PrintWriter out;
    private final Client client;
    private final Random seeds;
    private final Stopwatch stopwatch = new Stopwatch();

    SoakRun(Plan plan, SoakDatabase database, Books books, PrintWriter out) {
        this.plan = plan;
        this.database = database;
        this.books = books;
        this.out = out;
        this.client = database.client();
        this.seeds = new Random(plan.seed());
    }

    /** Runs it. */
    SoakReport run() throws InterruptedException {
        try (var crew = new Crew()) {
            Watch watch = watch(crew);
            watch.look();
            crew.start(watch::work);
            Staff staff = Staff.start(database, books, crew, seeds);
            Injector injector = injector(staff);
            Load load = Load.start(plan, database, books, crew, seeds);
            Future<?> injecting = crew.start(injector::work);
            var lines = new ProgressLines(out, stopwatch, load, injector.counts(), books.losses());
            while (!load.isThrough(plan.total()) || !injector.hasHadEveryKind()) {
                look(crew, lines);
            }
            load.end();
            injector.end();
            Load.Progress events = load.events();
            Load.Progress effects = load.effects();
            Duration time = load.time();
            while (!load.isOver() || !injecting.isDone()) {
                look(crew, lines);
            }
            drain(crew, lines);
            Duration drained = load.time().minus(time);
            crew.finish();
            closeBooks();
            return new SoakReport(time, events, effects, drained, injector.counts(), books, watch.samples());
        }
    }

    private Watch watch(Crew crew) {
        Duration interval = plan.time().dividedBy(SAMPLES);
        return new Watch(
                database.client(),
                new Invariants(Plan.CAP, books.losses()::add),
                stopwatch,
                interval.compareTo(SHORTEST_INTERVAL) < 0 ? SHORTEST_INTERVAL : interval,
                crew.stop());
    }

    private Injector injector(Staff staff) {
        var snapshot = new HeldSnapshot(database.client(), plan.betweenFaults().multipliedBy(FAULTS_PER_SNAPSHOT));
        var faults = new Faults(database, books, snapshot, staff, new Random(seeds.nextLong()));
        return new Injector(plan.faults(), faults, snapshot, plan.betweenFaults(), new Random(seeds.nextLong()));
    }

    /** Waits until no worker finds anything any more, or nothing moves. */
    private void drain(Crew crew, ProgressLines lines) throws InterruptedException {
        var unmoved = new Stopwatch();
        Backlog before = backlog();
        while (!before.isDrained() && unmoved.elapsed().compareTo(STUCK) < 0) {
            look(crew, lines);
            Backlog now = backlog();
            if (!now.equals(before)) {
                before = now;
                unmoved = new Stopwatch();
            }
        }
    }

    private Backlog backlog() {
        return client.callUntilAnswered(Backlog::of);
    }

    private void look(Crew crew, ProgressLines lines) throws InterruptedException {
        crew.stop().await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        crew.check();
        if (lines.isDue()) {
            lines.print(backlog());
        }
    }

    /** When nobody works any more. */
    private void closeBooks() {
        new Invariants(Plan.CAP, books.losses()::add).check(client.dsl());
        new DoneEffects(books.effects()).check(client.dsl());
        books.events().close(Backlog.eventsLeft(client.dsl()));
        books.effects().close(Backlog.effectsLeft(client.dsl()));
    }
}
