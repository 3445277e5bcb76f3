package io.lanequeue.benchmark;

import org.jspecify.annotations.Nullable;

/**
 * One result.
 *
 * @param id as in {@code B3.lanes}
 * @param what what is compared with what
 * @param value the figure
 * @param target what it has to reach; null for one that is only reported
 * @param ours what the library did
 * @param baseline what it is compared with; null where the target is a number of its own
 * @param unit of {@code ours} and {@code baseline}
 */
record Figure(
        String id,
        String what,
        double value,
        @Nullable Target target,
        Measure ours,
        @Nullable Measure baseline,
        String unit) {

    private static final String MILLIS = "ms";
    private static final String PER_SECOND = "events/s";

    /** The library's median latency as a multiple of the baseline's. */
    static Figure ofLatencies(String id, String what, Latencies ours, Latencies baseline) {
        return ratio(id, what, Measure.of(ours), Measure.of(baseline), MILLIS);
    }

    /** The library's throughput as a multiple of the baseline's. */
    static Figure ofThroughputs(String id, String what, double ours, double baseline) {
        return ratio(id, what, Measure.of(ours), Measure.of(baseline), PER_SECOND);
    }

    /** The library's number as a multiple of the baseline's. */
    static Figure ratio(String id, String what, Measure ours, Measure baseline, String unit) {
        return new Figure(id, what, ours.value() / baseline.value(), null, ours, baseline, unit);
    }

    /** How often the library's median latency goes into the baseline's. */
    static Figure speedup(String id, String what, Latencies ours, Latencies baseline) {
        double value = baseline.median() / ours.median();
        return new Figure(id, what, value, null, Measure.of(ours), Measure.of(baseline), MILLIS);
    }

    /** A number that is compared with nothing. */
    static Figure alone(String id, String what, double ours, String unit) {
        return new Figure(id, what, ours, null, Measure.of(ours), null, unit);
    }

    /** A median latency that is compared with nothing. */
    static Figure alone(String id, String what, Latencies ours) {
        return new Figure(id, what, ours.median(), null, Measure.of(ours), null, MILLIS);
    }

    Figure atMost(double bound) {
        return withTarget(Target.atMost(bound));
    }

    Figure atLeast(double bound) {
        return withTarget(Target.atLeast(bound));
    }

    private Figure withTarget(Target toReach) {
        return new Figure(id, what, value, toReach, ours, baseline, unit);
    }

    /** Whether it reaches its target; null without one. */
    @Nullable
    Boolean met() {
        return target == null ? null : target.isMetBy(value);
    }
}
