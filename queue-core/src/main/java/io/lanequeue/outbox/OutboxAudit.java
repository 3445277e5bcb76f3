package io.lanequeue.outbox;

import io.lanequeue.CallAgainException;
import io.lanequeue.WrongIsolationException;
import io.lanequeue.internal.Database;
import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.InvalidInputException;
import java.util.List;
import org.jooq.DSLContext;

/**
 * Compares the heads with the events, and rebuilds them. For after a data-only restore, logical replication, or any
 * other change that went round the triggers. Stateless and thread-safe.
 */
public final class OutboxAudit {

    /** Most disagreements that one call returns. */
    public static final int MAX_DISAGREEMENTS = 100_000;

    /**
     * Lists the lanes whose head is not their first event. Takes no lock; one pass over the heads and over
     * {@code dispatch_outbox_lane_idx}, so it takes as long as the backlog is.
     *
     * @param limit at most so many, 1 to {@value #MAX_DISAGREEMENTS}
     * @return ascending by lane; empty when all agree
     * @throws InvalidInputException if the limit is out of range
     */
    public List<Disagreement> disagreements(DSLContext dsl, int limit) {
        Inputs.limit("limit of disagreements", limit, MAX_DISAGREEMENTS);
        return Database.call(() -> AuditStatements.disagreements(dsl, limit));
    }

    /**
     * Makes every head the first event of its lane: moves, adds and removes heads. A lane whose head moves becomes
     * claimable, also a blocked one; leases stay.
     *
     * <p><b>Locks.</b> {@code SHARE ROW EXCLUSIVE} on {@code dispatch_outbox} until the transaction ends: producers,
     * outcomes and deletions wait so long, claims and readers do not. Heads that others hold are skipped and counted,
     * never waited for.
     *
     * <p><b>Waits.</b> For every open transaction that has appended, deleted or reported an outcome; and whoever wants
     * to do so meanwhile queues behind the repair that waits. Set {@code lock_timeout} before, and call again when it
     * strikes (SQLSTATE 55P03).
     *
     * <p><b>Isolation.</b> READ COMMITTED only: the snapshot must be taken after the lock.
     *
     * @throws WrongIsolationException at another isolation level
     * @throws CallAgainException on a deadlock with a transaction that appended to the outbox and waits for this one
     */
    public Repair repair(DSLContext dsl) {
        return Database.call(() -> AuditStatements.repair(dsl));
    }
}
