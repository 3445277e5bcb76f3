package io.lanequeue.demo;

import java.time.Duration;

/** Measures from its creation. Only for what is printed: leases run by the database's clock. */
final class Stopwatch {

    private final long start = System.nanoTime();

    Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
