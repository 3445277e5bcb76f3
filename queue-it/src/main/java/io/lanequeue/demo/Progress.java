package io.lanequeue.demo;

import io.lanequeue.outbox.LaneTotals;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Prints how far a run is, about once a second. */
final class Progress {

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final PrintWriter out;
    private final Before before;
    private final Tally tally;
    private final Stopwatch stopwatch;
    private Duration next = INTERVAL;

    Progress(PrintWriter out, Before before, Tally tally, Stopwatch stopwatch) {
        this.out = out;
        this.before = before;
        this.tally = tally;
        this.stopwatch = stopwatch;
    }

    /** Whether a line is due. */
    boolean isDue() {
        return stopwatch.elapsed().compareTo(next) >= 0;
    }

    void print(LaneTotals lanes) {
        Duration elapsed = stopwatch.elapsed();
        out.println(String.format(
                Locale.ROOT,
                "%6.1f s  appended %,9d  delivered %,9d  lanes waiting: %,d ready, %,d leased, %,d backing off, %,d"
                        + " blocked",
                elapsed.toMillis() / 1000.0,
                before.appended() + tally.appended().get(),
                before.delivered() + tally.delivered().get(),
                lanes.ready(),
                lanes.leased(),
                lanes.backingOff(),
                lanes.blocked()));
        next = elapsed.plus(INTERVAL);
    }
}
