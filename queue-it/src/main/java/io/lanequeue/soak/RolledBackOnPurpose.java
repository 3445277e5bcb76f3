package io.lanequeue.soak;

/** Thrown by work whose transaction is to be rolled back. */
final class RolledBackOnPurpose extends RuntimeException {

    private static final long serialVersionUID = 1L;
}
