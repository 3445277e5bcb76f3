package io.lanequeue.testing;

import org.jooq.TransactionContext;
import org.jooq.TransactionProvider;

/** Fails whoever begins, commits or rolls back a transaction through jOOQ. The library never may. */
final class RefusingTransactionProvider implements TransactionProvider {

    @Override
    public void begin(TransactionContext context) {
        throw new AssertionError("A transaction was begun on the caller's context");
    }

    @Override
    public void commit(TransactionContext context) {
        throw new AssertionError("A transaction was committed on the caller's context");
    }

    @Override
    public void rollback(TransactionContext context) {
        throw new AssertionError("A transaction was rolled back on the caller's context");
    }
}
