package io.lanequeue.outbox;

import io.lanequeue.CallAgainException;
import io.lanequeue.internal.Database;
import io.lanequeue.schema.EventId;
import java.util.List;
import org.jooq.DSLContext;

/**
 * Appends events. Stateless and thread-safe.
 *
 * <p>An event exists when the caller's transaction commits, and not before. Its lane's head is written in the same
 * statement, by a trigger of the table: events that other programs insert get theirs the same way.
 *
 * <p><b>Locks.</b> Per lane, ascending by user: {@code KEY SHARE} on the lane's head where a lower event stands before
 * the new one, else the head is inserted or lowered ({@code NO KEY UPDATE}). All are held until the transaction ends.
 *
 * <p><b>Concurrency.</b> The usual append, one that comes behind what waits already, waits for no lease, claim or
 * outcome, and nobody but a repair waits for it. An append that lowers a head (a lower {@code pts} than what waits)
 * waits for every open transaction that holds the head: a claim, an outcome or an extension, an operator's change, a
 * deletion, another such append. Any append waits for an open transaction that creates the same lane or removes its
 * head (deleted its last event), and for an open {@link OutboxAudit#repair}. Two transactions that create the same new
 * lanes in opposite order deadlock ({@link CallAgainException}): append to many lanes in one call, which sorts them.
 *
 * <p><b>Cost.</b> One look into the heads, by the primary key, for each lane of a statement.
 *
 * <p><b>Isolation.</b> Any. Above READ COMMITTED, {@link CallAgainException} where since the transaction's snapshot the
 * lane got its first event or was drained, or, for an append that comes before the head of its snapshot, was claimed or
 * lowered.
 *
 * <p><b>By other programs.</b> Plain {@code INSERT}, {@code COPY} and {@code DELETE} keep the heads too. An
 * {@code UPDATE} of {@code id}, {@code target_user_id} or {@code pts} is refused (SQLSTATE 23001). {@code TRUNCATE}
 * empties the heads, and is refused above READ COMMITTED (25000).
 */
public final class OutboxProducer {

    /**
     * Appends one event.
     *
     * @return its id
     * @throws CallAgainException on a deadlock or a serialization failure
     */
    public EventId append(DSLContext dsl, NewEvent event) {
        return Database.call(
                () -> AppendStatements.one(dsl, event).fetchSingle().value1());
    }

    /**
     * Appends events in one statement. Events of one lane with equal {@code pts} are delivered in the order of the
     * list; equal events are appended as often as they are in it.
     *
     * @return their ids, in the order of the list; none for an empty list, which sends nothing
     * @throws CallAgainException on a deadlock or a serialization failure
     */
    public List<EventId> appendAll(DSLContext dsl, List<NewEvent> events) {
        if (events.isEmpty()) {
            return List.of();
        }
        // RETURNING has no order, but the rows are inserted in the order of the list and the ids come from a sequence.
        return Database.call(() -> AppendStatements.many(dsl, events).fetchSet(record -> record.value1()).stream()
                .sorted()
                .toList());
    }
}
