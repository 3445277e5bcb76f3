package io.lanequeue;

import io.lanequeue.schema.LanequeueException;

/**
 * The database chose this transaction to give way to another: a serialization failure (SQLSTATE 40001) or a deadlock
 * (40P01). Nothing of the transaction happened. Roll it back and run it again from its beginning.
 */
public final class CallAgainException extends LanequeueException {

    private static final long serialVersionUID = 1L;

    private final String sqlState;

    public CallAgainException(String sqlState, Throwable cause) {
        super(
                "The transaction gave way to another one (SQLSTATE " + sqlState
                        + "); nothing happened. Roll back and call again.",
                cause);
        this.sqlState = sqlState;
    }

    /** {@code 40001} or {@code 40P01}. */
    public String sqlState() {
        return sqlState;
    }
}
