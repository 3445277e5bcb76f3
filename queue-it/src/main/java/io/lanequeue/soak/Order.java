package io.lanequeue.soak;

/** What a worker is told to do with the claims that it has in hand. */
enum Order {
    /** Drop them and die; another worker takes its place. */
    DIE,

    /** Fall silent until they are long lost, then go on as if nothing had been. */
    PAUSE
}
