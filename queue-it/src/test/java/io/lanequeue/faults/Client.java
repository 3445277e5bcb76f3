package io.lanequeue.faults;

import io.lanequeue.CallAgainException;
import io.lanequeue.ConnectionLostException;
import io.lanequeue.internal.Database;
import io.lanequeue.schema.LanequeueSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** Calls on a connection that is made again when it is lost. For one thread. */
final class Client implements AutoCloseable {

    private final Connector connector;
    private final AtomicInteger lostConnections;
    private @Nullable Connection connection;

    Client(Connector connector, AtomicInteger lostConnections) {
        this.connector = connector;
        this.lostConnections = lostConnections;
    }

    /** The answer to a call in autocommit. The call is made again until there is one. */
    <T> T call(Function<DSLContext, T> call) {
        while (true) {
            try {
                DSLContext dsl = dsl(connected(true));
                return Database.call(() -> call.apply(dsl));
            } catch (ConnectionLostException e) {
                lose();
            } catch (CallAgainException e) {
                Thread.onSpinWait();
            }
        }
    }

    /** As {@link #call}, for what has no answer. */
    void run(Consumer<DSLContext> calls) {
        call(dsl -> {
            calls.accept(dsl);
            return true;
        });
    }

    /** Runs a transaction, again until its commit is answered; tells of each commit that had no answer. */
    <T> void transaction(Function<DSLContext, T> calls, Promises<T> promises) {
        while (true) {
            try {
                Connection transaction = connected(false);
                T result = calls.apply(dsl(transaction));
                if (commits(transaction)) {
                    promises.acknowledged(result);
                    return;
                }
                promises.inDoubt(result);
                lose();
            } catch (ConnectionLostException e) {
                lose();
            } catch (CallAgainException e) {
                close();
            }
        }
    }

    private static boolean commits(Connection transaction) {
        try {
            transaction.commit();
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    private Connection connected(boolean autocommit) {
        if (Thread.currentThread().isInterrupted()) {
            throw new IllegalStateException("The test is over");
        }
        try {
            Connection present = connection == null ? connector.connect() : connection;
            connection = present;
            present.setAutoCommit(autocommit);
            return present;
        } catch (SQLException e) {
            throw new ConnectionLostException(String.valueOf(e.getSQLState()), String.valueOf(e.getMessage()), e);
        }
    }

    private void lose() {
        close();
        lostConnections.incrementAndGet();
    }

    @Override
    public void close() {
        Connection present = connection;
        connection = null;
        if (present != null) {
            try {
                present.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static DSLContext dsl(Connection connection) {
        return DSL.using(
                connection, SQLDialect.POSTGRES, LanequeueSchema.standard().settings());
    }

    /** Where connections come from. */
    interface Connector {
        Connection connect() throws SQLException;
    }

    /** Who is told what became of a transaction. */
    interface Promises<T> {

        /** The server has answered the commit. */
        void acknowledged(T result);

        /** The connection was lost at the commit: it may have happened. */
        void inDoubt(T result);
    }
}
