package io.lanequeue.benchmark;

import io.lanequeue.command.CommandFailedException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Several of a kind on the same database, closed together: sessions, consumers, or workers. */
record Group<T extends AutoCloseable>(List<T> members) implements AutoCloseable {

    Group {
        members = List.copyOf(members);
    }

    /** Opens so many. */
    static <T extends AutoCloseable> Group<T> of(int number, Opening<? extends T> opening) throws SQLException {
        List<T> members = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            members.add(opening.open());
        }
        return new Group<>(members);
    }

    @FunctionalInterface
    interface Opening<T> {
        T open() throws SQLException;
    }

    @Override
    public void close() {
        for (T member : members) {
            try {
                member.close();
            } catch (Exception e) {
                throw new CommandFailedException("A connection did not close", e);
            }
        }
    }
}
