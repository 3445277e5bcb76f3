package io.lanequeue.command;

import java.time.Duration;

/** Measures from its creation. Only for what is printed: leases run by the database's clock. */
public final class Stopwatch {

    private final long start = System.nanoTime();

    public Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
