package io.lanequeue.internal;

import io.lanequeue.CallAgainException;
import io.lanequeue.ConnectionLostException;
import io.lanequeue.ReadOnlyDatabaseException;
import io.lanequeue.SchemaNotMigratedException;
import io.lanequeue.StatementFailedException;
import io.lanequeue.WrongIsolationException;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.LanequeueException;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs a statement and turns the database's refusals into the library's exceptions, by SQLSTATE. */
public final class Database {

    private Database() {}

    /** The result of the statement. */
    public static <T> T call(Supplier<T> statement) {
        try {
            return statement.get();
        } catch (LanequeueException e) {
            throw e;
        } catch (RuntimeException e) {
            // Not only jOOQ's: an ExecuteListener of the caller may have translated it, as Spring's does.
            throw translated(e);
        }
    }

    private static RuntimeException translated(RuntimeException e) {
        SQLException cause = sqlExceptionOf(e);
        if (cause == null) {
            return e;
        }
        String sqlState = String.valueOf(cause.getSQLState());
        String answer = String.valueOf(cause.getMessage());
        if (endsInALostConnection(cause)) {
            return new ConnectionLostException(sqlState, answer, e);
        }
        return switch (sqlState) {
            case "40001", "40P01" -> new CallAgainException(sqlState, e);
            case "3F000", "42P01", "42703", "42883" -> new SchemaNotMigratedException(answer, e);
            case "25000" -> new WrongIsolationException(answer, e);
            case "25006" -> new ReadOnlyDatabaseException(answer, e);
            default ->
                sqlState.startsWith("22")
                        ? new InvalidInputException("the input", "was refused by the database: " + answer, e)
                        : new StatementFailedException(sqlState, answer, e);
        };
    }

    /**
     * Also where the server said something else before it ended the session: a full disk is one thing when it refuses a
     * statement (53100), and another when it takes the whole server down (53100 too).
     */
    private static boolean endsInALostConnection(SQLException failure) {
        for (SQLException next = failure; next != null; next = next.getNextException()) {
            String sqlState = String.valueOf(next.getSQLState());
            if (sqlState.startsWith("08") || sqlState.startsWith("57P")) {
                return true;
            }
        }
        return false;
    }

    /** What the server or the driver said; null where the failure is not the database's. */
    private static @Nullable SQLException sqlExceptionOf(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof SQLException)) {
            cause = cause.getCause();
        }
        return (SQLException) cause;
    }
}
