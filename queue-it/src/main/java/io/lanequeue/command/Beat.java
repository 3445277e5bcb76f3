package io.lanequeue.command;

import java.time.Duration;
import java.util.Locale;

/** Says at intervals that a line of progress is due. */
public final class Beat {

    private final Stopwatch stopwatch;
    private final Duration interval;
    private Duration next;

    public Beat(Stopwatch stopwatch, Duration interval) {
        this.stopwatch = stopwatch;
        this.interval = interval;
        this.next = interval;
    }

    public boolean isDue() {
        return stopwatch.elapsed().compareTo(next) >= 0;
    }

    /** Begins a line: the time it is, in words. The next one is due an interval later. */
    public String next() {
        Duration elapsed = stopwatch.elapsed();
        next = elapsed.plus(interval);
        return String.format(Locale.ROOT, "%6.1f s", elapsed.toMillis() / 1000.0);
    }
}
