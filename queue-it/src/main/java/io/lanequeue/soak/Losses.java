package io.lanequeue.soak;

import java.io.PrintWriter;

/**
 * Counts what must never happen, and prints the first of each kind at once, so that the log shows when. Thread-safe.
 */
final class Losses {

    private static final int PRINTED_PER_KIND = 5;

    private final Counts<Loss> counts = new Counts<>(Loss.class);
    private final PrintWriter out;

    Losses(PrintWriter out) {
        this.out = out;
    }

    synchronized void add(Loss loss, String which) {
        counts.add(loss);
        if (counts.of(loss) <= PRINTED_PER_KIND) {
            out.println("LOSS: " + loss.words() + ": " + which);
        }
    }

    long of(Loss loss) {
        return counts.of(loss);
    }

    long total() {
        return counts.total();
    }
}
