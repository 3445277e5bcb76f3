package io.lanequeue.worker;

/** Why a worker no longer waits for a handler. The handler's thread is interrupted at that moment. */
public enum Cancellation {
    /** The lease, or the claim, is lost, or may be: another worker may be at the same work already. */
    LEASE_LOST,

    /** The handler has taken longer than the worker's time limit. The lease is not extended any more. */
    TIME_LIMIT,

    /** The worker stops, and the time for that is nearly over. */
    STOPPING
}
