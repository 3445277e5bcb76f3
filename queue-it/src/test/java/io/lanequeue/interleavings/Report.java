package io.lanequeue.interleavings;

import io.lanequeue.model.Violation;

/** What a call says it did, or what the database says it holds. */
@FunctionalInterface
interface Report<L extends Ledger> {

    /** Enters it in the ledger; a {@link Violation} if by the ledger it cannot be. */
    void enterIn(L ledger);
}
