package io.lanequeue.interleavings;

/** What a lane or a repository must hold, by what the calls on it reported. */
interface Ledger {

    /** The transactions entered until now ended before the next call did. */
    default void transactionsEnded() {}
}
