package io.lanequeue.benchmark;

import io.lanequeue.benchmark.baseline.HeadFinder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * What the claims of all ordered queues took on one set of data.
 *
 * @param data in a word
 * @param ours the library's
 * @param baselines those of each {@link HeadFinder}, in their order
 */
record ClaimComparison(String data, Latencies ours, List<Latencies> baselines) {

    Latencies of(HeadFinder finder) {
        return baselines.get(finder.ordinal());
    }

    /** The fastest baseline of those whose lanes take turns, as ours do. */
    Latencies fastestBaseline() {
        return Arrays.stream(HeadFinder.values())
                .filter(HeadFinder::takesTurns)
                .map(this::of)
                .min(Comparator.comparing(Latencies::median))
                .orElseThrow();
    }
}
