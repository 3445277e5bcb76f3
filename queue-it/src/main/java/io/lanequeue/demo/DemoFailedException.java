package io.lanequeue.demo;

import org.jspecify.annotations.Nullable;

/** The demo cannot run, or cannot go on; the message says why. */
final class DemoFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DemoFailedException(String message) {
        this(message, null);
    }

    DemoFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
