package io.lanequeue.effects;

import io.lanequeue.CallAgainException;
import io.lanequeue.internal.Database;
import io.lanequeue.internal.Inputs;
import io.lanequeue.internal.PgSql;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.InvalidInputException;
import java.time.Duration;
import java.time.Instant;
import org.jooq.DSLContext;
import org.jooq.Field;

/**
 * What somebody has to call now and then: bring back what dead workers hold, delete what is over. Any number of
 * processes may call it at once; each takes what the others do not hold. Immutable and thread-safe.
 *
 * <p><b>Isolation.</b> Any; READ COMMITTED is meant.
 *
 * <p>All calls wait for an open {@link EffectAudit#repair}.
 */
public final class EffectUpkeep {

    /** Most effects that one call takes. */
    public static final int MAX_BATCH = 10_000;

    private static final Duration LONGEST = Duration.ofDays(3650);

    private final Field<Instant> now;

    /** Upkeep by the database's clock. */
    public EffectUpkeep() {
        this(PgSql.statementTimestamp());
    }

    private EffectUpkeep(Field<Instant> now) {
        this.now = now;
    }

    /**
     * Upkeep as if it were always the given moment: for tests.
     *
     * @throws InvalidInputException for {@link Instant#MAX}, at which everything would be stale
     */
    public static EffectUpkeep at(Instant now) {
        return new EffectUpkeep(PgSql.moment(Inputs.moment(now)));
    }

    /**
     * Takes effects from workers that have been silent for too long. Before: claimed, the claim made or extended longer
     * ago than {@code olderThan}. After: enqueued, attempts still counted; or superseded; or failed, when claimed
     * {@code maxAttempts} times or more: an effect that kills its worker must not come back for ever.
     *
     * <p><b>Locks.</b> {@code FOR UPDATE} on the effects, skipping those that others hold, then the heads, for which it
     * waits as a report does, see {@link EffectConsumer}. State and age are checked under the lock: a claim that is
     * extended or completed meanwhile is not taken.
     *
     * @param olderThan 1 millisecond to 3650 days; longer than any handler takes without extending its claim
     * @param maxAttempts 1 or more
     * @param limit at most so many, the oldest claims first, 1 to {@value #MAX_BATCH}
     * @throws InvalidInputException if an argument is out of range
     * @throws CallAgainException on a deadlock or a serialization failure
     */
    public StaleReport requeueStale(DSLContext dsl, Duration olderThan, int maxAttempts, int limit) {
        Inputs.duration("age of stale claims", olderThan, Duration.ofMillis(1), LONGEST);
        Inputs.limit("attempt limit", maxAttempts, Integer.MAX_VALUE);
        Inputs.limit("limit of effects", limit, MAX_BATCH);
        return Database.call(() ->
                UpkeepStatements.staleReport(UpkeepStatements.requeueStale(dsl, now, olderThan, maxAttempts, limit)));
    }

    /**
     * Deletes effects that were done longer ago than {@code olderThan}, the oldest first, skipping those that others
     * hold.
     *
     * @param olderThan 0 to 3650 days
     * @param limit at most so many, 1 to {@value #MAX_BATCH}; call again while it returns this number
     * @return how many were deleted
     * @throws InvalidInputException if an argument is out of range
     * @throws CallAgainException above READ COMMITTED, when another call has changed or deleted one of them since the
     *     snapshot
     */
    public int pruneDone(DSLContext dsl, Duration olderThan, int limit) {
        return prune(dsl, EffectState.DONE, olderThan, limit);
    }

    /** As {@link #pruneDone}, for effects that failed for good. */
    public int pruneFailed(DSLContext dsl, Duration olderThan, int limit) {
        return prune(dsl, EffectState.FAILED, olderThan, limit);
    }

    private int prune(DSLContext dsl, EffectState state, Duration olderThan, int limit) {
        Inputs.duration("age of effects", olderThan, Duration.ZERO, LONGEST);
        Inputs.limit("limit of effects", limit, MAX_BATCH);
        return Database.call(
                () -> UpkeepStatements.prune(dsl, now, state, olderThan, limit).execute());
    }
}
