package io.lanequeue.interleavings;

import org.jooq.DSLContext;

/** A lane or a repository that was prepared for two calls. */
interface Subject<L extends Ledger> {

    /** A new ledger of what was prepared. */
    L ledger();

    /** What the database holds of it. */
    Report<L> look(DSLContext dsl);

    /** Fails unless a worker that comes much later gets exactly what waits by the ledger, in order. */
    void drain(DSLContext dsl, L ledger);
}
