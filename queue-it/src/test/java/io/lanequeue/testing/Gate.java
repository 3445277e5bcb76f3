package io.lanequeue.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;

import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Session;
import org.jooq.DSLContext;
import org.jooq.Name;
import org.jooq.impl.DSL;

/**
 * Holds statements of chosen sessions that change heads, after they have taken their snapshot and before they have
 * looked at or locked a head: the moment in which others may commit what the statement does not see.
 */
final class Gate implements AutoCloseable {

    private final DSLContext keeper;
    private final Name function;

    private Gate(QueueDatabase db, String statements) {
        keeper = db.open().dsl();
        function = DSL.name(db.schema().name(), "gate");
        keeper.execute(
                "create or replace function {0}() returns trigger language plpgsql as $$ begin"
                        + " if current_setting('gate.held', true) = 'yes' then"
                        + " perform pg_advisory_xact_lock_shared(1); end if;"
                        + " return null; end $$",
                function);
        keeper.execute(
                "create or replace trigger gate before " + statements
                        + " on {0} for each statement execute function {1}()",
                DISPATCH_OUTBOX_USER_HEADS,
                function);
        keeper.fetch("select pg_advisory_lock(1)");
    }

    static Gate beforeDeletes(QueueDatabase db) {
        return new Gate(db, "delete");
    }

    static Gate beforeUpdates(QueueDatabase db) {
        return new Gate(db, "update");
    }

    /** From now on this session's statements wait at the gate until it is open. */
    Session holds(Session session) {
        session.dsl().execute("set gate.held = 'yes'");
        return session;
    }

    void open() {
        keeper.fetch("select pg_advisory_unlock(1)");
    }

    /** Takes the gate away; the sessions that passed it must have ended their transactions. */
    @Override
    public void close() {
        keeper.execute("drop function {0}() cascade", function);
    }
}
