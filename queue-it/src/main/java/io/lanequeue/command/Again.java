package io.lanequeue.command;

import io.lanequeue.CallAgainException;
import java.util.function.Supplier;

/** Calls again what gave way to another transaction. */
public final class Again {

    private static final int MAX_TRIES = 20;

    private Again() {}

    /** The result of a call that is a transaction of its own. */
    public static <T> T call(Supplier<T> call) {
        for (int tries = 1; ; tries++) {
            try {
                return call.get();
            } catch (CallAgainException e) {
                if (tries == MAX_TRIES) {
                    throw e;
                }
            }
        }
    }
}
