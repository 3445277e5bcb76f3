package io.lanequeue.soak;

import io.lanequeue.command.Stopwatch;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A transaction that is forgotten for a while: what it may still see cannot be vacuumed. */
final class HeldSnapshot {

    private final Client client;
    private final Duration time;
    private @Nullable Stopwatch held;

    HeldSnapshot(Client client, Duration time) {
        this.client = client;
        this.time = time;
    }

    /** Begins to hold a snapshot, instead of the one that is held; returns whether it could. */
    boolean take() {
        letGo();
        try {
            client.connection().setAutoCommit(false);
            client.dsl().execute("set transaction isolation level repeatable read");
            client.dsl().execute("select 1");
            held = new Stopwatch();
            return true;
        } catch (RuntimeException | SQLException e) {
            if (Refusal.of(e) != Refusal.LOST_CONNECTION) {
                throw new IllegalStateException("A snapshot could not be taken", e);
            }
            client.close();
            return false;
        }
    }

    /** Lets it go when its time is over. */
    void letGoWhenOver() {
        if (held != null && held.elapsed().compareTo(time) > 0) {
            letGo();
        }
    }

    /** Lets it go, if one is held. */
    void letGo() {
        client.close();
        held = null;
    }
}
