package io.lanequeue.soak;

import io.lanequeue.command.Crew;
import io.lanequeue.command.Stopwatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** The producers of both queues and what is due of them. */
final class Load {

    private static final int ENQUEUERS = 4;

    private final Schedule events;
    private final Schedule effects;
    private final Books books;
    private final Stopwatch stopwatch = new Stopwatch();
    private final List<Future<?>> producers = new ArrayList<>();

    private Load(int rate, Books books) {
        this.events = new Schedule(rate);
        this.effects = new Schedule(rate);
        this.books = books;
    }

    /** Starts the producers. */
    static Load start(Plan plan, SoakDatabase database, Books books, Crew crew, Random seeds) {
        List<Witness> appenders = witnesses("appender", Appender.APPENDERS, database, books);
        List<Witness> enqueuers = witnesses("enqueuer", ENQUEUERS, database, books);
        // From here on things become due.
        var load = new Load(plan.rate(), books);
        for (int i = 0; i < appenders.size(); i++) {
            var random = new Random(seeds.nextLong());
            var habits = new ProducerHabits(random, crew.stop());
            var appender = new Appender(i, appenders.get(i), load.events, books.events(), habits, random);
            load.producers.add(crew.start(appender::work));
        }
        for (Witness witness : enqueuers) {
            var random = new Random(seeds.nextLong());
            var habits = new ProducerHabits(random, crew.stop());
            var enqueuer = new Enqueuer(witness, load.effects, books, habits, random);
            load.producers.add(crew.start(enqueuer::work));
        }
        return load;
    }

    private static List<Witness> witnesses(String name, int number, SoakDatabase database, Books books) {
        return IntStream.range(0, number)
                .mapToObj(i -> new Witness(database.client(), name + " " + i, books.happenings()))
                .toList();
    }

    /** Since when things have become due. */
    Duration time() {
        return stopwatch.elapsed();
    }

    /** How far it is: what was due, and what of it is done. */
    Progress events() {
        return new Progress(events.planned(), books.happenings().of(Happening.APPENDED));
    }

    /** As {@link #events()}. */
    Progress effects() {
        return new Progress(
                effects.planned(),
                books.happenings().of(Happening.ENQUEUED) + books.happenings().of(Happening.STOOD_FOR));
    }

    /** Whether at least so many of each have become due. */
    boolean isThrough(long total) {
        return events.planned() >= total && effects.planned() >= total;
    }

    /** Nothing more becomes due; what is due is still appended. */
    void end() {
        events.end();
        effects.end();
    }

    /** Whether all producers have ended. */
    boolean isOver() {
        return producers.stream().allMatch(Future::isDone);
    }

    /**
     * How far a load is.
     *
     * @param planned what was due
     * @param reached what of it was committed
     */
    record Progress(long planned, long reached) {}
}
