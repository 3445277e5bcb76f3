package io.lanequeue.soak;

import io.lanequeue.command.Beat;
import io.lanequeue.command.Stopwatch;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Prints every few seconds how far a soak is. */
final class ProgressLines {

    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private final PrintWriter out;
    private final Beat beat;
    private final Load load;
    private final Counts<FaultKind> faults;
    private final Losses losses;

    ProgressLines(PrintWriter out, Stopwatch stopwatch, Load load, Counts<FaultKind> faults, Losses losses) {
        this.out = out;
        this.beat = new Beat(stopwatch, INTERVAL);
        this.load = load;
        this.faults = faults;
        this.losses = losses;
    }

    /** Whether a line is due. */
    boolean isDue() {
        return beat.isDue();
    }

    void print(Backlog backlog) {
        Load.Progress events = load.events();
        Load.Progress effects = load.effects();
        out.println(String.format(
                Locale.ROOT,
                "%s  events: %,d due, %,d appended, %,d waiting; effects: %,d due, %,d enqueued, %,d waiting; faults %,d;"
                        + " losses %,d",
                beat.next(),
                events.planned(),
                events.reached(),
                backlog.events(),
                effects.planned(),
                effects.reached(),
                backlog.effects(),
                faults.total(),
                losses.total()));
    }
}
