package io.lanequeue.demo;

import io.lanequeue.command.Beat;
import io.lanequeue.command.Stopwatch;
import io.lanequeue.outbox.LaneTotals;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Prints how far a run is, about once a second. */
final class Progress {

    static final Duration INTERVAL = Duration.ofSeconds(1);

    private final PrintWriter out;
    private final Before before;
    private final Tally tally;
    private final Beat beat;

    Progress(PrintWriter out, Before before, Tally tally, Stopwatch stopwatch) {
        this.out = out;
        this.before = before;
        this.tally = tally;
        this.beat = new Beat(stopwatch, INTERVAL);
    }

    /** Whether a line is due. */
    boolean isDue() {
        return beat.isDue();
    }

    void print(LaneTotals lanes) {
        out.println(String.format(
                Locale.ROOT,
                "%s  appended %,9d  delivered %,9d  lanes waiting: %,d ready, %,d leased, %,d backing off, %,d"
                        + " blocked",
                beat.next(),
                before.appended() + tally.appended().get(),
                before.delivered() + tally.delivered().get(),
                lanes.ready(),
                lanes.leased(),
                lanes.backingOff(),
                lanes.blocked()));
    }
}
