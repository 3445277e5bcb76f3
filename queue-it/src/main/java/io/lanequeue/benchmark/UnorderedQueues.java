package io.lanequeue.benchmark;

import io.lanequeue.benchmark.Contender.Filling;
import io.lanequeue.benchmark.baseline.UnorderedQueue;
import java.sql.Connection;
import java.sql.SQLException;

/** The unordered queue, as a contender. */
final class UnorderedQueues {

    private UnorderedQueues() {}

    /** In a database that has its table. */
    static Contender contender(ScratchDatabase database, int events, int batch, int consumers) throws SQLException {
        Filling filling = () -> {
            try (Connection connection = database.connection()) {
                UnorderedQueue.fill(connection, events);
            }
        };
        return new Contender(
                "unordered",
                database,
                filling,
                events,
                Group.of(consumers, () -> UnorderedQueue.consumer(database.connection(), batch)));
    }
}
