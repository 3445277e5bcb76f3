package io.lanequeue.testing;

/**
 * A transaction on a database with a backlog, which is rolled back in the end; where that fails, too, the first failure
 * is the one that is told.
 */
public record Trial(BacklogDatabase database, Session session) implements AutoCloseable {

    @Override
    public void close() {
        database.rollBack(session);
    }
}
