package io.lanequeue;

import io.lanequeue.schema.LanequeueException;

/**
 * The database refused a statement, or did not answer, for a reason that is none of the queue's own: a lost connection,
 * a missing right (42501), a lock timeout (55P03), a cancelled statement (57014), a transaction that failed before
 * (25P02). The cause is jOOQ's exception. Unless the connection was lost at the commit, nothing happened.
 */
public final class StatementFailedException extends LanequeueException {

    private static final long serialVersionUID = 1L;

    private final String sqlState;

    public StatementFailedException(String sqlState, String answer, Throwable cause) {
        super("The statement failed (SQLSTATE " + sqlState + "): " + answer, cause);
        this.sqlState = sqlState;
    }

    /** As the server or the driver gave it. */
    public String sqlState() {
        return sqlState;
    }
}
