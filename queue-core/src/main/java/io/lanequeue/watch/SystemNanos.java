package io.lanequeue.watch;

import java.util.function.LongSupplier;

/** The machine's clock, for how long totals are kept. */
final class SystemNanos implements LongSupplier {

    @Override
    public long getAsLong() {
        return System.nanoTime();
    }
}
