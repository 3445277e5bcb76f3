package io.lanequeue.soak;

import io.lanequeue.command.Again;
import io.lanequeue.schema.LanequeueSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** What one thread calls the database by: a connection, and a new one after each that was lost. */
final class Client implements AutoCloseable {

    private final Supplier<Connection> connections;
    private final Settings settings = LanequeueSchema.standard().settings();
    private volatile @Nullable Link link;
    private volatile boolean busy;

    /** @param connections gives a new connection, waiting while there is none */
    Client(Supplier<Connection> connections) {
        this.connections = connections;
    }

    /** The context on the present connection, in autocommit. Waits while the server is down. */
    DSLContext dsl() {
        return link().dsl;
    }

    /** The present connection. */
    Connection connection() {
        return link().connection;
    }

    private Link link() {
        Link present = link;
        if (present == null) {
            Connection connection = connections.get();
            present = new Link(connection, DSL.using(connection, SQLDialect.POSTGRES, settings));
            link = present;
        }
        return present;
    }

    /** The result of a call in autocommit; empty where the connection was lost: it may have happened or not. */
    <T> Optional<T> call(Function<DSLContext, T> call) {
        return inTheMiddleOf(() -> tryToCall(call));
    }

    private <T> Optional<T> tryToCall(Function<DSLContext, T> call) {
        try {
            DSLContext dsl = dsl();
            return Optional.of(Again.call(() -> call.apply(dsl)));
        } catch (RuntimeException e) {
            if (Refusal.of(e) != Refusal.LOST_CONNECTION) {
                throw e;
            }
            close();
            return Optional.empty();
        }
    }

    /** Does something in the middle of which this client can be broken off. */
    <T, E extends Exception> T inTheMiddleOf(Activity<T, E> activity) throws E {
        busy = true;
        try {
            return activity.result();
        } finally {
            busy = false;
        }
    }

    /** The result of a call in autocommit that does no harm when it happens twice. */
    <T> T callUntilAnswered(Function<DSLContext, T> call) {
        Optional<T> answer = call(call);
        while (answer.isEmpty()) {
            answer = call(call);
        }
        return answer.get();
    }

    /**
     * Breaks the connection off in the middle of what this client is doing. By another thread.
     *
     * @return whether it was doing something
     */
    boolean breakOff() {
        Link present = link;
        if (!busy || present == null) {
            return false;
        }
        try {
            present.connection.abort(Runnable::run);
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    /** Ends the connection; the next call takes a new one. */
    @Override
    public void close() {
        Link present = link;
        link = null;
        if (present != null) {
            try {
                present.connection.close();
            } catch (SQLException e) {
                // It was lost already.
            }
        }
    }

    /** What takes a while. */
    @FunctionalInterface
    interface Activity<T, E extends Exception> {

        T result() throws E;
    }

    private record Link(Connection connection, DSLContext dsl) {}
}
