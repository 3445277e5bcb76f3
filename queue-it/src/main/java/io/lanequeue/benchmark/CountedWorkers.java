package io.lanequeue.benchmark;

import java.sql.SQLException;
import java.util.function.Function;
import org.jooq.DSLContext;

/** Workers of one queue, each with a connection of its own, whose statements are counted. */
final class CountedWorkers implements AutoCloseable {

    private final StatementCount count = new StatementCount();
    private final Group<KeptConnection> connections;
    private final Group<AutoCloseable> workers;

    /** @param start starts a worker on a context */
    CountedWorkers(ScratchDatabase database, int number, Function<DSLContext, AutoCloseable> start)
            throws SQLException {
        connections = Group.of(number, () -> new KeptConnection(database.connection()));
        workers = new Group<>(connections.members().stream()
                .map(connection -> start.apply(count.of(connection.dsl())))
                .toList());
    }

    /** Begins again at 0; returns how many statements each has sent until now, on average. */
    double restart() {
        return (double) count.restart() / workers.members().size();
    }

    @Override
    public void close() {
        workers.close();
        connections.close();
    }
}
