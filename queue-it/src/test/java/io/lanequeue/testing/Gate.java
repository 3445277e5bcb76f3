package io.lanequeue.testing;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_DEAD_LETTERS;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;

import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Name;
import org.jooq.Table;
import org.jooq.impl.DSL;

/** Holds statements of chosen sessions in their middle. Others may act meanwhile, or end the session. */
public final class Gate implements AutoCloseable {

    private final DSLContext keeper;
    private final Name function;

    private Gate(QueueDatabase db, String moment, List<Table<?>> tables) {
        keeper = db.open().dsl();
        function = DSL.name(db.schema().name(), "gate");
        keeper.execute(
                "create or replace function {0}() returns trigger language plpgsql as $$ declare"
                        + " passages integer := nullif(current_setting('gate.passages', true), '');"
                        + " begin if passages = 0 then perform pg_advisory_xact_lock_shared(1); end if;"
                        + " if passages >= 0 then perform set_config('gate.passages', (passages - 1)::text, false); end if;"
                        + " return null; end $$",
                function);
        for (Table<?> table : tables) {
            // Of the triggers of one moment the last one by name, so also the last one to fire.
            keeper.execute(
                    "create or replace trigger gate " + moment + " on {0} for each statement execute function {1}()",
                    table,
                    function);
        }
        keeper.fetch("select pg_advisory_lock(1)");
    }

    /**
     * Stands before deletes of lanes' heads, after the snapshot and before any head is looked at or locked: the moment
     * in which others may commit what the statement does not see.
     */
    public static Gate beforeDeletes(QueueDatabase db) {
        return new Gate(db, "before delete", List.of(DISPATCH_OUTBOX_USER_HEADS));
    }

    /** As {@link #beforeDeletes}, before updates of lanes' heads. */
    public static Gate beforeUpdates(QueueDatabase db) {
        return new Gate(db, "before update", List.of(DISPATCH_OUTBOX_USER_HEADS));
    }

    /**
     * Stands after each change of a table of the queues, also where a trigger of the queues makes it: something is
     * written then, nothing is committed.
     */
    public static Gate afterChanges(QueueDatabase db) {
        return new Gate(
                db,
                "after insert or update or delete",
                List.of(
                        DISPATCH_OUTBOX,
                        DISPATCH_OUTBOX_USER_HEADS,
                        DISPATCH_OUTBOX_DEAD_LETTERS,
                        EFFECT_QUEUE,
                        EFFECT_QUEUE_REPO_HEADS));
    }

    /** From now on this session's statements wait at the gate until it is open. */
    public Session holds(Session session) {
        return holdsAfter(session, 0);
    }

    /** Lets this session come by so many times, and then it waits at the gate until that is open. */
    public Session holdsAfter(Session session, int passages) {
        session.dsl().fetch("select set_config('gate.passages', ?::text, false)", passages);
        return session;
    }

    public void open() {
        keeper.fetch("select pg_advisory_unlock(1)");
    }

    /** Takes the gate away; the sessions that passed it must have ended their transactions. */
    @Override
    public void close() {
        keeper.execute("drop function {0}() cascade", function);
    }
}
