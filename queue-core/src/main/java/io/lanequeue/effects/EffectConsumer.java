package io.lanequeue.effects;

import static java.util.stream.Collectors.toMap;

import io.lanequeue.CallAgainException;
import io.lanequeue.internal.Database;
import io.lanequeue.internal.Inputs;
import io.lanequeue.internal.PgSql;
import io.lanequeue.internal.Spans;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.RepoId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Field;

/**
 * Claims effects, and reports what became of them. Immutable and thread-safe.
 *
 * <p>A claim is held until it is reported, or until {@link EffectUpkeep#requeueStale} takes it from a worker that has
 * been silent for too long. So an effect may be handled more than once, and at the same time by a worker that was
 * thought dead: a handler has to bear both. Under a claim that was taken away nothing can be changed any more, and the
 * caller is told.
 *
 * <p>Call each method in a short transaction of its own, or in autocommit: an open transaction that claimed or reported
 * holds the heads of the repositories; also one that has waited for an effect and found its claim lost holds the
 * effect.
 *
 * <p><b>Due effects.</b> A claim, of one repository too, first enqueues what has become due, of whichever repository,
 * up to 1,000 effects, in a statement of its own. It locks these effects {@code FOR UPDATE}, and pins the heads of
 * their repositories ({@code KEY SHARE}) or adds them, until the transaction ends. Effects that others hold, and those
 * of a repository whose head is being added or removed, are left to the next call. To find out it waits up to 5 ms for
 * a head, and leaves the rest too after four such waits.
 *
 * <p><b>Effects that others hold,</b> as an open enqueue of their keys does, are passed over. Where they are all that a
 * claim looks at, it sends a further statement, which walks past as many as they hold and takes of each repository the
 * oldest that is free.
 *
 * <p><b>Waits.</b> Reports wait for an open report, extension or requeue of the same effects, and for every open
 * transaction that holds one of the heads: a claim, a report, a requeue, a cancellation or a deletion of the same
 * repositories. An effect with a dedupe key that comes back waits for an open enqueue of the key. All calls that change
 * something, claims included, wait for an open {@link EffectAudit#repair}.
 *
 * <p><b>Isolation.</b> Any; READ COMMITTED is meant. Above it the calls throw {@link CallAgainException} more often,
 * and the heads of repositories that run empty stay until a claim at READ COMMITTED settles them.
 */
public final class EffectConsumer {

    private final Field<Instant> now;

    /** A consumer on the database's clock. */
    public EffectConsumer() {
        this(PgSql.statementTimestamp());
    }

    private EffectConsumer(Field<Instant> now) {
        this.now = now;
    }

    /**
     * A consumer for which it is always the given moment: for tests.
     *
     * @throws InvalidInputException for {@link Instant#MAX}, at which everything would be due
     */
    public static EffectConsumer at(Instant now) {
        return new EffectConsumer(PgSql.moment(Inputs.moment(now)));
    }

    /**
     * Claims the oldest enqueued effects of one repository, up to the limit; caps do not count here.
     *
     * <p><b>Locks.</b> Besides those for due effects: {@code NO KEY UPDATE} on the repository's head, skipped while
     * another transaction holds it; then {@code FOR UPDATE} on the effects, skipping those that others hold. An open
     * enqueue is not waited for.
     *
     * @return the effects, oldest first; empty when none waits, or when another transaction holds the repository's head
     *     for the moment
     * @throws CallAgainException on a deadlock or a serialization failure
     */
    public List<ClaimedEffect> claim(DSLContext dsl, RepoClaimRequest request) {
        return Database.call(() -> {
            UpkeepStatements.promoteDue(dsl, now);
            return DispatchStatement.ofRepo(dsl, now, request);
        });
    }

    /**
     * Claims effects across every repository, the oldest first, up to the limit, leaving out excluded repositories and
     * those at the cap. The cap holds exactly, whatever dispatchers there are: it is counted on the repository's head,
     * under its lock.
     *
     * <p><b>Locks.</b> Besides those for due effects: {@code NO KEY UPDATE} on the heads of the repositories it looks
     * into, skipping those that others hold: at most 16 more than the limit, and as many of those whose head names no
     * effect; then {@code FOR UPDATE} on the effects, at most 16 more than the limit, skipping those that others hold.
     *
     * <p><b>Cost.</b> By the effects returned and the repositories in front that are excluded or at their cap, not by
     * their backlog: it walks {@code effect_queue_repo_heads_head_idx}, then {@code effect_queue_enqueued_idx} per
     * repository.
     *
     * @return the effects, oldest first; empty when none is eligible, or when others hold the heads for the moment
     * @throws CallAgainException on a deadlock or a serialization failure
     */
    public List<ClaimedEffect> dispatch(DSLContext dsl, DispatchRequest request) {
        return Database.call(() -> {
            UpkeepStatements.promoteDue(dsl, now);
            return DispatchStatement.acrossRepos(dsl, now, request);
        });
    }

    /**
     * Completes claims, whichever repositories they are of. Before: claimed under this claim. After: done.
     *
     * <p><b>Locks.</b> {@code FOR UPDATE} on the effects, ascending by id, then {@code NO KEY UPDATE} on the heads of
     * their repositories, ascending. Two transactions that report several times for the same repositories may deadlock;
     * one call per transaction does not, but for a claim that it meets.
     *
     * @return one report per claim, in their order; nothing for no claims, which sends nothing
     * @throws InvalidInputException if two claims are of the same effect, or there are more than
     *     {@value DispatchRequest#MAX_EFFECTS}
     * @throws CallAgainException on a deadlock or a serialization failure
     */
    public List<EffectReport> complete(DSLContext dsl, Collection<EffectClaim> claims) {
        checkDistinct(claims);
        return Database.call(() -> EndStatement.end(dsl, now, EffectState.DONE, withoutError(claims), null));
    }

    /**
     * As {@link #complete(DSLContext, Collection)}, for effects of this repository only; those of others report a lost
     * claim.
     */
    public List<EffectReport> complete(DSLContext dsl, RepoId repo, Collection<EffectClaim> claims) {
        checkDistinct(claims);
        return Database.call(() -> EndStatement.end(dsl, now, EffectState.DONE, withoutError(claims), repo));
    }

    /**
     * Records that effects failed for good. Before: claimed under this claim. After: failed, with the error, until an
     * operator redrives or prunes them. Locks, errors and reports as for {@link #complete(DSLContext, Collection)}.
     */
    public List<EffectReport> fail(DSLContext dsl, Collection<EffectFailure> failures) {
        checkDistinct(failures.stream().map(EffectFailure::claim).toList());
        return Database.call(() -> EndStatement.end(dsl, now, EffectState.FAILED, List.copyOf(failures), null));
    }

    /**
     * Records that attempts failed and are to be repeated. Before: claimed under this claim. After: scheduled, or
     * enqueued if there is no delay, with the error, attempts counted; or superseded. Locks, errors and reports as for
     * {@link #complete(DSLContext, Collection)}.
     */
    public List<EffectReport> retry(DSLContext dsl, Collection<EffectRetry> retries) {
        checkDistinct(retries.stream().map(EffectRetry::claim).toList());
        return Database.call(() -> PutBackStatement.retry(dsl, now, List.copyOf(retries)));
    }

    /**
     * Gives back effects that were not tried. Before: claimed under this claim. After: enqueued, this claim not counted
     * as an attempt; or superseded. Locks, errors and reports as for {@link #complete(DSLContext, Collection)}.
     */
    public List<EffectReport> release(DSLContext dsl, Collection<EffectClaim> claims) {
        checkDistinct(claims);
        return Database.call(() -> PutBackStatement.release(dsl, List.copyOf(claims)));
    }

    /**
     * Says that effects are still being worked on: their claims count as made now. Locks and waits as {@code complete},
     * without heads.
     *
     * @return since when each claim counts now; one that is not in it is lost. Empty for no claims, which sends nothing
     * @throws InvalidInputException if two claims are of the same effect, or there are more than
     *     {@value DispatchRequest#MAX_EFFECTS}
     * @throws CallAgainException on a deadlock or a serialization failure
     */
    public Map<EffectClaim, Instant> extend(DSLContext dsl, Collection<EffectClaim> claims) {
        checkDistinct(claims);
        if (claims.isEmpty()) {
            return Map.of();
        }
        return Database.call(() -> ExtendStatement.query(dsl, now, List.copyOf(claims)).stream()
                .collect(toMap(row -> new EffectClaim(row.value1(), row.value2()), row -> row.value3())));
    }

    /**
     * How long until a dispatch by this request may find something: no time where an effect waits in a repository that
     * is neither excluded nor at the cap, else until the first scheduled effect is due, of whichever repository.
     * Changes nothing, locks nothing, and costs less than a dispatch that finds nothing: for workers that wait. It
     * walks the heads as {@link #dispatch} does, and reads the first entry of {@code effect_queue_scheduled_idx}.
     *
     * @return 0 when something waits; empty when nothing does and nothing is scheduled
     */
    public Optional<Duration> untilDue(DSLContext dsl, DispatchRequest request) {
        return Database.call(() -> DueStatement.query(dsl, now, request).fetchOptional())
                .filter(first -> first.value1() != null && first.value1().isBefore(Instant.MAX))
                .map(first -> Spans.until(first.value1(), first.value2()));
    }

    private static List<EffectFailure> withoutError(Collection<EffectClaim> claims) {
        return claims.stream().map(claim -> new EffectFailure(claim, "")).toList();
    }

    private static void checkDistinct(Collection<EffectClaim> claims) {
        Set<Object> effects = new HashSet<>();
        for (EffectClaim claim : claims) {
            if (!effects.add(claim.effect())) {
                throw new InvalidInputException("effect " + claim.effect(), "must be named once in a batch");
            }
        }
        if (!claims.isEmpty()) {
            Inputs.limit("number of claims", claims.size(), DispatchRequest.MAX_EFFECTS);
        }
    }
}
