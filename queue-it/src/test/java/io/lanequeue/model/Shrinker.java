package io.lanequeue.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Finds a short part of a failing list that still fails: leaves out halves, then quarters, down to single elements. */
final class Shrinker {

    private Shrinker() {}

    static <T> List<T> shrink(List<T> failing, Predicate<List<T>> fails) {
        List<T> shortest = failing;
        for (int chunk = failing.size() / 2; chunk > 0; ) {
            List<T> shorter = withoutOneChunk(shortest, chunk, fails);
            if (shorter.size() < shortest.size()) {
                shortest = shorter;
            } else {
                chunk /= 2;
            }
        }
        return shortest;
    }

    /** Goes through the list once and leaves out each chunk that is not needed. */
    private static <T> List<T> withoutOneChunk(List<T> failing, int chunk, Predicate<List<T>> fails) {
        List<T> shortest = failing;
        for (int start = 0; start < shortest.size(); ) {
            List<T> candidate = new ArrayList<>(shortest.subList(0, start));
            candidate.addAll(shortest.subList(Math.min(start + chunk, shortest.size()), shortest.size()));
            if (fails.test(candidate)) {
                shortest = candidate;
            } else {
                start += chunk;
            }
        }
        return shortest;
    }
}
