package io.lanequeue.benchmark;

import org.jspecify.annotations.Nullable;

/**
 * A number that was measured.
 *
 * @param value the median, where there were several rounds
 * @param p99 what 99 of 100 rounds did not exceed; null for what is no latency
 */
record Measure(double value, @Nullable Double p99) {

    static Measure of(double value) {
        return new Measure(value, null);
    }

    static Measure of(Latencies latencies) {
        return new Measure(latencies.median(), latencies.p99());
    }
}
