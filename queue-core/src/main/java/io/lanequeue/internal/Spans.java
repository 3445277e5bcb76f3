package io.lanequeue.internal;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Times between the database's clock and a moment that it knows. */
public final class Spans {

    private Spans() {}

    /** How long ago the moment was; null for none. */
    public static @Nullable Duration since(@Nullable Instant moment, Instant now) {
        return moment == null ? null : Duration.between(moment, now);
    }

    /** How long it is until the moment; no time when it is over. */
    public static Duration until(Instant moment, Instant now) {
        return moment.isBefore(now) ? Duration.ZERO : Duration.between(now, moment);
    }
}
