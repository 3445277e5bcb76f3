package io.lanequeue;

import io.lanequeue.schema.LanequeueException;

/**
 * The database refused a statement for a reason that is none of the queue's own: a missing right (42501), a lock
 * timeout (55P03), a cancelled statement (57014), a full disk (53100), a transaction that failed before (25P02).
 * Nothing happened. The cause is jOOQ's exception. Mend what it names, roll back and call again.
 */
public final class StatementFailedException extends LanequeueException {

    private static final long serialVersionUID = 1L;

    private final String sqlState;

    public StatementFailedException(String sqlState, String answer, Throwable cause) {
        super(
                "The statement failed (SQLSTATE " + sqlState
                        + "); nothing happened. Mend the cause, roll back and call again. The database said: " + answer,
                cause);
        this.sqlState = sqlState;
    }

    /** As the server or the driver gave it. */
    public String sqlState() {
        return sqlState;
    }
}
