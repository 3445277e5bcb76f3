package io.lanequeue.benchmark;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/** How long something took, many times. In milliseconds. Several threads may record. */
final class Latencies {

    private static final int SIGNIFICANT_DIGITS = 3;
    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final Histogram nanos = new SynchronizedHistogram(SIGNIFICANT_DIGITS);
    private volatile boolean cutShort;

    void record(long time) {
        nanos.recordValue(time);
    }

    /** As {@link #record}, of something that was ended before it was done: it would have taken longer. */
    void recordCutShort(long time) {
        record(time);
        cutShort = true;
    }

    double median() {
        return percentile(50);
    }

    double p99() {
        return percentile(99);
    }

    private double percentile(double percentile) {
        return nanos.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }

    boolean isCutShort() {
        return cutShort;
    }
}
