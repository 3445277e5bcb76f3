package io.lanequeue.interleavings;

/** How and when the first of two transactions ends. */
enum Ending {
    /** It commits when the second call has ended or waits. */
    COMMITS,

    /** It rolls back when the second call has ended or waits. */
    ROLLS_BACK,

    /** It commits before the second call begins, whose snapshot is older and does not show it. */
    COMMITS_UNSEEN
}
