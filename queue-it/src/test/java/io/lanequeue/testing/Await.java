package io.lanequeue.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Asks until something is so, where nobody tells when it is; but not for ever. */
public final class Await {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Await() {}

    /** Returns when the condition holds; if it does not in time, the words say what was waited for. */
    public static void until(String what, BooleanSupplier condition) {
        within(PATIENCE, () -> what, condition);
    }

    /** As {@link #until}, for what takes longer; the words may tell of how things are at the end. */
    public static void within(Duration patience, Supplier<String> what, BooleanSupplier condition) {
        Instant deadline = Instant.now().plus(patience);
        while (!condition.getAsBoolean()) {
            if (Instant.now().isAfter(deadline)) {
                throw new AssertionError("Waited in vain until " + what.get());
            }
            Thread.onSpinWait();
        }
    }
}
