package io.lanequeue.command;

import java.time.Duration;
import java.util.Locale;

/**
 * So many events in so much time.
 *
 * @param events the number of events
 * @param time how long they took
 */
public record Pace(long events, Duration time) {

    @Override
    public String toString() {
        return of("events");
    }

    /** In words, as so many of something else than events. */
    public String of(String things) {
        double seconds = Math.max(time.toMillis(), 1) / 1000.0;
        return String.format(Locale.ROOT, "%,d in %.1f s, %,.0f %s/s", events, seconds, events / seconds, things);
    }
}
