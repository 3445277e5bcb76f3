package io.lanequeue.soak;

import io.lanequeue.command.CommandFailedException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Why a call was not answered, by SQLSTATE. */
enum Refusal {
    /** The connection was lost, or the server is down. */
    LOST_CONNECTION,

    /** The server chose the transaction to give way; nothing happened. */
    GAVE_WAY,

    /** Anything else is a defect. */
    DEFECT;

    static Refusal of(Throwable failure) {
        if (failure instanceof CommandFailedException) {
            // The server did not come back in time.
            return DEFECT;
        }
        String state = sqlStateOf(failure);
        if (state.startsWith("08") || state.startsWith("57P")) {
            return LOST_CONNECTION;
        }
        return state.equals("40001") || state.equals("40P01") ? GAVE_WAY : DEFECT;
    }

    private static String sqlStateOf(Throwable failure) {
        @Nullable Throwable cause = failure;
        while (cause != null && !(cause instanceof SQLException)) {
            cause = cause.getCause();
        }
        return cause instanceof SQLException answer ? String.valueOf(answer.getSQLState()) : "";
    }
}
