package io.lanequeue.model.outbox;

import io.lanequeue.schema.LeaseId;

/** What holds a lane back. */
sealed interface Hold {

    /** Whether a claim may take the lane. */
    boolean isOver();

    /** Whether a worker has the lane whose lease is not over. */
    default boolean isLeasedForNow() {
        return this instanceof Leased && !isOver();
    }

    /** Nothing. */
    record Ready() implements Hold {

        @Override
        public boolean isOver() {
            return true;
        }
    }

    /** A worker has it. */
    record Leased(LeaseId lease, boolean isOver) implements Hold {}

    /** Its first event failed and waits to be tried again. */
    record BackingOff(Place failed, boolean isOver) implements Hold {}

    /** Its first event failed for good. */
    record Blocked(Place failed) implements Hold {

        @Override
        public boolean isOver() {
            return false;
        }
    }
}
