package io.lanequeue.interleavings;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;

import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Wiring;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jooq.DSLContext;

/** A database of its own with two sessions for each isolation level, one for each side, and one for all else. */
final class Stage implements AutoCloseable {

    private static final OutboxConsumer CONSUMER =
            OutboxConsumer.at(Instant.now().plus(Duration.ofDays(7)));

    private final QueueDatabase db = QueueDatabase.create(Wiring.STANDARD);
    private final Map<Isolation, Session> first = sessions();
    private final Map<Isolation, Session> second = sessions();
    private final DSLContext dsl = db.open().dsl();
    private long number;

    Stage() {
        prepare(dsl);
        // A repair would wait for it.
        for (String table :
                List.of("dispatch_outbox", "dispatch_outbox_user_heads", "effect_queue", "effect_queue_repo_heads")) {
            dsl.execute("alter table lanequeue." + table + " set (autovacuum_enabled = off)");
        }
    }

    private Map<Isolation, Session> sessions() {
        return Stream.of(Isolation.values()).collect(toMap(isolation -> isolation, this::begin));
    }

    private Session begin(Isolation isolation) {
        Session session = db.open();
        prepare(session.dsl());
        session.begin(isolation);
        return session;
    }

    private static void prepare(DSLContext dsl) {
        dsl.execute("set plan_cache_mode = force_generic_plan"); // to plan each statement once
        dsl.execute("set deadlock_timeout = '50ms'");
    }

    Session first(Isolation isolation) {
        return requireNonNull(first.get(isolation));
    }

    Session second(Isolation isolation) {
        return requireNonNull(second.get(isolation));
    }

    /** The session for all else, in autocommit. */
    DSLContext dsl() {
        return dsl;
    }

    /** The number of a lane or repository that is not in use. */
    long nextNumber() {
        number++;
        return number;
    }

    /** How many heads are left when the events that were claimed for a drain are completed. */
    int headsLeft() {
        CONSUMER.complete(dsl, CONSUMER.claim(dsl, ClaimRequest.by("worker").withEventsPerLane(10)));
        return dsl.fetchCount(DISPATCH_OUTBOX_USER_HEADS) + dsl.fetchCount(EFFECT_QUEUE_REPO_HEADS);
    }

    /** Empties the queues. */
    void clear() {
        first.values().forEach(Session::rollback);
        second.values().forEach(Session::rollback);
        db.empty(dsl);
        number = 0;
    }

    @Override
    public void close() {
        db.closeSessions();
    }
}
