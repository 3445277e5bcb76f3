package io.lanequeue.demo;

import java.time.Duration;
import java.util.Locale;

/** Says once a second that a line of progress is due. */
final class Beat {

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final Stopwatch stopwatch;
    private Duration next = INTERVAL;

    Beat(Stopwatch stopwatch) {
        this.stopwatch = stopwatch;
    }

    boolean isDue() {
        return stopwatch.elapsed().compareTo(next) >= 0;
    }

    /** Begins a line: the time it is, in words. The next one is due a second later. */
    String next() {
        Duration elapsed = stopwatch.elapsed();
        next = elapsed.plus(INTERVAL);
        return String.format(Locale.ROOT, "%6.1f s", elapsed.toMillis() / 1000.0);
    }
}
