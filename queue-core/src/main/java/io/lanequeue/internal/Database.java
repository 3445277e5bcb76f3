package io.lanequeue.internal;

import io.lanequeue.CallAgainException;
import io.lanequeue.SchemaNotMigratedException;
import io.lanequeue.StatementFailedException;
import io.lanequeue.WrongIsolationException;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.LanequeueException;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.jooq.exception.DataAccessException;

/** Runs a statement and turns the database's refusals into the library's exceptions, by SQLSTATE. */
public final class Database {

    private Database() {}

    /** The result of the statement. */
    public static <T> T call(Supplier<T> statement) {
        try {
            return statement.get();
        } catch (DataAccessException e) {
            throw translated(e);
        }
    }

    private static LanequeueException translated(DataAccessException e) {
        String sqlState = e.sqlState();
        String answer = answerOf(e);
        return switch (sqlState) {
            case "40001", "40P01" -> new CallAgainException(sqlState, e);
            case "3F000", "42P01", "42703", "42883" -> new SchemaNotMigratedException(answer, e);
            case "25000" -> new WrongIsolationException(answer, e);
            default ->
                sqlState.startsWith("22")
                        ? new InvalidInputException("the input", "was refused by the database: " + answer, e)
                        : new StatementFailedException(sqlState, answer, e);
        };
    }

    /** What the server or the driver said, without the text of the statement, which jOOQ's message leads with. */
    private static String answerOf(DataAccessException e) {
        SQLException cause = e.getCause(SQLException.class);
        String answer = cause == null ? e.getMessage() : cause.getMessage();
        return String.valueOf(answer);
    }
}
