package io.lanequeue.benchmark;

/** How large a run is. */
enum Form {
    /** Seconds. Shows that everything runs; its numbers say nothing. */
    SMOKE,

    /** About four minutes. */
    QUICK,

    /** The sizes that the figures are about. */
    FULL;

    /** The size that fits this form. */
    <T> T of(T smoke, T quick, T full) {
        return switch (this) {
            case SMOKE -> smoke;
            case QUICK -> quick;
            case FULL -> full;
        };
    }
}
