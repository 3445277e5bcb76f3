package io.lanequeue.testing;

import java.util.stream.IntStream;

/** How much a call does at once: of lanes, events, effects or whatever it is about. */
public enum Units {
    ONE(1),
    MANY(1, 100, 1_000);

    private final int[] batches;

    Units(int... batches) {
        this.batches = batches;
    }

    /** The batches to plan, where there are so many lanes or repositories. */
    public IntStream batches(int size) {
        return IntStream.of(batches).filter(batch -> batch <= size);
    }

    /** The smallest and the largest of them. */
    public IntStream extremeBatches(int size) {
        return IntStream.of(1, batches(size).max().orElseThrow()).distinct();
    }
}
