package io.lanequeue.command;

import org.jspecify.annotations.Nullable;

/** The command cannot run, or cannot go on; the message says why. */
public final class CommandFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CommandFailedException(String message) {
        this(message, null);
    }

    public CommandFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
