package io.lanequeue;

import io.lanequeue.schema.LanequeueException;

/**
 * The database takes no changes (SQLSTATE 25006): it is a standby, or the transaction is read only. Nothing happened.
 * Call on a connection to the primary server; pools find it by the driver's {@code targetServerType=primary}.
 */
public final class ReadOnlyDatabaseException extends LanequeueException {

    private static final long serialVersionUID = 1L;

    public ReadOnlyDatabaseException(String answer, Throwable cause) {
        super(
                "The database takes no changes: it is a standby, or the transaction is read only. Nothing happened;"
                        + " call on a connection to the primary server. The database said: " + answer,
                cause);
    }
}
