package io.lanequeue.worker;

import io.lanequeue.StatementFailedException;
import io.lanequeue.schema.LanequeueException;

/** A lock was not to be had in time: somebody's open transaction has it. Nothing happened. */
final class HeldUpException extends LanequeueException {

    private static final long serialVersionUID = 1L;

    HeldUpException(StatementFailedException cause) {
        super("Somebody else's transaction holds the lock for longer than the worker waits", cause);
    }
}
