package io.lanequeue.soak;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/** How often each of some kinds of things happened. Thread-safe. */
final class Counts<K extends Enum<K>> {

    private final AtomicLongArray counts;

    Counts(Class<K> kinds) {
        counts = new AtomicLongArray(kinds.getEnumConstants().length);
    }

    void add(K kind) {
        add(kind, 1);
    }

    void add(K kind, long number) {
        counts.addAndGet(kind.ordinal(), number);
    }

    long of(K kind) {
        return counts.get(kind.ordinal());
    }

    long total() {
        return IntStream.range(0, counts.length()).mapToLong(counts::get).sum();
    }
}
