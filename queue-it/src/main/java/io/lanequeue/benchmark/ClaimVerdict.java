package io.lanequeue.benchmark;

import io.lanequeue.benchmark.baseline.HeadFinder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * What follows from the claims of ordered queues on several sets of data.
 *
 * @param events in each set
 * @param all one for each set
 */
record ClaimVerdict(int events, List<ClaimComparison> all) {

    private static final double NEVER_ABOVE = 1.0;
    private static final double ON_ITS_WORST_DATA = 0.1;

    void addTo(Results results) {
        all.forEach(comparison -> results.add(fastest(comparison)));
        results.add(worst());
        for (ClaimComparison comparison : all) {
            for (HeadFinder finder : HeadFinder.values()) {
                results.add(each(comparison, finder));
            }
        }
    }

    private Figure fastest(ClaimComparison comparison) {
        return Figure.ofLatencies(
                        "B4." + comparison.data(),
                        "claim of %,d lanes ÷ the fastest ordered queue without heads, %,d events, %s"
                                .formatted(OrderedQueues.LANES_PER_CLAIM, events, comparison.data()),
                        comparison.ours(),
                        comparison.fastestBaseline())
                .atMost(NEVER_ABOVE);
    }

    /** Beside the baseline whose worst case is the least bad, on the data that is its worst. */
    private Figure worst() {
        HeadFinder best = Arrays.stream(HeadFinder.values())
                .filter(HeadFinder::takesTurns)
                .min(Comparator.comparing(finder -> worst(finder).of(finder).median()))
                .orElseThrow();
        ClaimComparison worst = worst(best);
        return Figure.ofLatencies(
                        "B4.worst",
                        "claim of %,d lanes ÷ the ordered queue with the best worst case (%s), on its worst data (%s)"
                                .formatted(OrderedQueues.LANES_PER_CLAIM, best, worst.data()),
                        worst.ours(),
                        worst.of(best))
                .atMost(ON_ITS_WORST_DATA);
    }

    private ClaimComparison worst(HeadFinder finder) {
        return all.stream()
                .max(Comparator.comparing(comparison -> comparison.of(finder).median()))
                .orElseThrow();
    }

    private static Figure each(ClaimComparison comparison, HeadFinder finder) {
        Latencies baseline = comparison.of(finder);
        return Figure.ofLatencies(
                "B4." + comparison.data() + "." + finder.id(),
                "the same ÷ %s, %s%s"
                        .formatted(
                                finder,
                                comparison.data(),
                                baseline.isCutShort() ? ", which was ended before it was done" : ""),
                comparison.ours(),
                baseline);
    }
}
