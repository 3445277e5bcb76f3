package io.lanequeue.interleavings;

/** A report, or what the database holds, cannot be by the reports before. */
final class Contradiction extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private Contradiction(String what) {
        super(what);
    }

    static void unless(boolean holds, String what) {
        if (!holds) {
            throw new Contradiction(what);
        }
    }
}
