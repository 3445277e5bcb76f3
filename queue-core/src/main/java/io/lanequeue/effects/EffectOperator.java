package io.lanequeue.effects;

import io.lanequeue.CallAgainException;
import io.lanequeue.internal.Database;
import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.RepoId;
import java.util.Collection;
import java.util.List;
import org.jooq.DSLContext;

/**
 * What operators do by hand: look at repositories, bring back what failed, cancel what waits. Stateless and
 * thread-safe. Any isolation level; above READ COMMITTED with {@link CallAgainException} more often.
 *
 * <p>Changes hold their locks until the transaction ends, also on effects that they have waited for and then do not
 * change. They wait for an open {@link EffectAudit#repair}.
 */
public final class EffectOperator {

    /** Most effects that one call changes, and most that {@link #counts} and {@link #totals} count of a state. */
    public static final int MAX_BATCH = 10_000;

    /** Longest reason that is kept, in characters. */
    public static final int MAX_REASON_LENGTH = 2_000;

    /**
     * Counts the effects of a repository by state, up to {@code bound} of each that waits or failed. Takes no lock.
     *
     * @param bound 1 to {@value #MAX_BATCH}
     * @throws InvalidInputException if the bound is out of range
     */
    public RepoCounts counts(DSLContext dsl, RepoId repo, int bound) {
        Inputs.limit("bound", bound, MAX_BATCH);
        return Database.call(() -> RepoStatements.counts(dsl, repo, bound));
    }

    /**
     * Tells what is going on in the whole queue: one pass over the heads with one look into each repository, none over
     * what waits, and as many failed effects as the bound. Takes no lock.
     *
     * @param bound how many failed effects are counted at most, 1 to {@value #MAX_BATCH}
     * @throws InvalidInputException if the bound is out of range
     */
    public EffectTotals totals(DSLContext dsl, int bound) {
        Inputs.limit("bound", bound, MAX_BATCH);
        return Database.call(() -> TotalsStatement.totals(dsl, bound));
    }

    /**
     * Lists the repositories whose oldest effect has been waiting longest. Takes no lock; looks once into each
     * repository that has a head, not into its backlog.
     *
     * @param limit at most so many, 1 to {@value #MAX_BATCH}
     * @return the longest waiting first; empty when nothing waits
     * @throws InvalidInputException if the limit is out of range
     */
    public List<WaitingRepo> oldestWaiting(DSLContext dsl, int limit) {
        Inputs.limit("limit of repositories", limit, MAX_BATCH);
        return Database.call(() -> RepoStatements.oldestWaiting(dsl, limit));
    }

    /** Lists effects of a repository that failed for good, oldest first. Takes no lock. */
    public List<FailedEffect> failed(DSLContext dsl, FailedQuery query) {
        return Database.call(() -> RepoStatements.failed(dsl, query));
    }

    /**
     * Lets effects that failed for good wait again. Before: failed. After: enqueued, attempts 0, in their old place
     * within the repository; or superseded. Locks the effects {@code FOR UPDATE}, ascending by id, then pins the heads
     * ({@code KEY SHARE}) or adds them. Waits for another redrive or a deletion of the same effects, for an open
     * transaction that adds or removes a head, and for an open enqueue of the dedupe key of one of them.
     *
     * @param effects up to {@value #MAX_BATCH}
     * @throws InvalidInputException if there are too many
     * @throws CallAgainException on a deadlock or a serialization failure
     */
    public Redrive redrive(DSLContext dsl, Collection<EffectId> effects) {
        if (effects.isEmpty()) {
            return new Redrive(List.of(), List.of());
        }
        Inputs.limit("number of effects", effects.size(), MAX_BATCH);
        return Database.call(() -> RepoStatements.redrive(dsl, effects));
    }

    /**
     * Lets failed effects of a repository wait again, the oldest first; as {@link #redrive(DSLContext, Collection)}.
     *
     * @param limit at most so many, 1 to {@value #MAX_BATCH}; call again until it takes none. While somebody else
     *     redrives or prunes the same effects it may take fewer, or none, although there are more
     */
    public Redrive redrive(DSLContext dsl, RepoId repo, int limit) {
        Inputs.limit("limit of effects", limit, MAX_BATCH);
        return Database.call(() -> RepoStatements.redrive(dsl, repo, limit));
    }

    /**
     * Cancels effects that wait. Before: scheduled or enqueued. After: failed, with the reason, until they are redriven
     * or pruned. Skips effects that others hold, and waits for the heads of the rest as a report does, see
     * {@link EffectConsumer}.
     *
     * @param effects up to {@value #MAX_BATCH}
     * @param reason why; 1 to {@value #MAX_REASON_LENGTH} characters
     * @return those that were cancelled, ascending
     * @throws InvalidInputException if there are too many, or the reason cannot be stored
     * @throws CallAgainException on a deadlock or a serialization failure
     */
    public List<EffectId> cancel(DSLContext dsl, Collection<EffectId> effects, String reason) {
        Inputs.text("reason", reason, MAX_REASON_LENGTH);
        if (effects.isEmpty()) {
            return List.of();
        }
        Inputs.limit("number of effects", effects.size(), MAX_BATCH);
        return Database.call(() -> RepoStatements.cancel(dsl, effects, reason));
    }
}
