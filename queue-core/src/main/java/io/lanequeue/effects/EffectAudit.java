package io.lanequeue.effects;

import io.lanequeue.CallAgainException;
import io.lanequeue.WrongIsolationException;
import io.lanequeue.internal.Database;
import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.InvalidInputException;
import java.util.List;
import org.jooq.DSLContext;

/**
 * Compares the heads of repositories with the effects, and rebuilds them. For after a data-only restore, logical
 * replication, or any other change that went round the triggers. Stateless and thread-safe.
 */
public final class EffectAudit {

    /** Most disagreements that one call returns. */
    public static final int MAX_DISAGREEMENTS = 100_000;

    /**
     * Lists the repositories whose head does not fit their effects. Takes no lock; one pass over the effects that are
     * enqueued or claimed.
     *
     * @param limit at most so many, 1 to {@value #MAX_DISAGREEMENTS}
     * @return ascending by repository; empty when all agree
     * @throws InvalidInputException if the limit is out of range
     */
    public List<RepoDisagreement> disagreements(DSLContext dsl, int limit) {
        Inputs.limit("limit of disagreements", limit, MAX_DISAGREEMENTS);
        return Database.call(() -> AuditStatements.disagreements(dsl, limit));
    }

    /**
     * Makes every head fit its effects, the oldest of them named.
     *
     * <p><b>Locks.</b> {@code SHARE ROW EXCLUSIVE} on {@code effect_queue} until the transaction ends: whoever changes
     * an effect, claims included, waits so long, readers do not. Heads that others hold are skipped and counted, never
     * waited for.
     *
     * <p><b>Waits.</b> For every open transaction that has enqueued, claimed, changed or deleted effects; and whoever
     * wants to do so meanwhile queues behind the repair that waits. Set {@code lock_timeout} before, and call again
     * when it strikes (SQLSTATE 55P03).
     *
     * <p><b>Isolation.</b> READ COMMITTED only: the snapshot must be taken after the lock.
     *
     * @throws WrongIsolationException at another isolation level
     * @throws CallAgainException on a deadlock with a transaction that changed effects and waits for this one
     */
    public RepoRepair repair(DSLContext dsl) {
        return Database.call(() -> AuditStatements.repair(dsl));
    }
}
