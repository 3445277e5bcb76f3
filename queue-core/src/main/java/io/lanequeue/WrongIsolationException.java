package io.lanequeue;

import io.lanequeue.schema.LanequeueException;

/** The call works at READ COMMITTED only. Nothing happened; call it in a transaction of that isolation level. */
public final class WrongIsolationException extends LanequeueException {

    private static final long serialVersionUID = 1L;

    public WrongIsolationException(String answer, Throwable cause) {
        super("The call works at READ COMMITTED only. The database said: " + answer, cause);
    }
}
