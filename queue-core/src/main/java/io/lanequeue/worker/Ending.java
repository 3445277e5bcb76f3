package io.lanequeue.worker;

/** What became of something that was in hand. */
enum Ending {
    /** All of it was delivered. */
    DELIVERED,
    /** It failed and is tried again. */
    FAILED,
    /** It failed and is not. */
    GIVEN_UP,
    /** Given back without a failure. */
    RELEASED,
    /** Somebody else has it. */
    LOST
}
