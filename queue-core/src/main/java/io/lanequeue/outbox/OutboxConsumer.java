package io.lanequeue.outbox;

import static java.util.stream.Collectors.toMap;

import io.lanequeue.CallAgainException;
import io.lanequeue.internal.Database;
import io.lanequeue.internal.Inputs;
import io.lanequeue.internal.PgSql;
import io.lanequeue.internal.Spans;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.TargetUserId;
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
 * Claims lanes, and reports what became of them. Immutable and thread-safe.
 *
 * <p>A claim leases lanes to the worker; until the lease's time is over nobody else gets them. Each claimed lane is
 * ended by one {@link LaneOutcome}. A worker that dies reports none: when the lease's time is over the lane is claimed
 * again, so an event may be delivered more than once, and a handler has to bear that. A lease whose time is over is
 * still good as long as nobody has claimed the lane; once somebody has, everything under the old lease changes nothing
 * and says so.
 *
 * <p>Call each method in a short transaction of its own, or in autocommit: an open transaction that claimed a lane,
 * extended its lease or reported its outcome holds the lane's head; also one that has waited for the head and found its
 * lease lost.
 *
 * <p><b>Waits.</b> Outcomes and extensions wait for every open transaction that holds one of their heads: a claim,
 * another outcome or extension, an operator's change, an append that lowers the head, a repair that moved it. Outcomes
 * wait for every open {@link OutboxAudit#repair}. None waits for the usual append, which comes behind what waits.
 *
 * <p><b>Isolation.</b> Any; READ COMMITTED is meant. Above it the calls throw {@link CallAgainException} more often, a
 * lane that runs empty keeps a dangling head until a claim at READ COMMITTED settles it, and a claim sees no event that
 * committed after the transaction's snapshot.
 */
public final class OutboxConsumer {

    private final Field<Instant> now;

    /** A consumer on the database's clock. */
    public OutboxConsumer() {
        this(PgSql.statementTimestamp());
    }

    private OutboxConsumer(Field<Instant> now) {
        this.now = now;
    }

    /**
     * A consumer for which it is always the given moment: for tests of what happens when a lease or a delay is over.
     * Triggers and settling stay on the database's clock.
     *
     * @throws InvalidInputException for {@link Instant#MAX}, at which blocked lanes would be available
     */
    public static OutboxConsumer at(Instant now) {
        return new OutboxConsumer(PgSql.moment(Inputs.moment(now)));
    }

    /**
     * Leases up to {@code request.lanes()} available lanes, the longest available first, and returns the first
     * {@code request.eventsPerLane()} events of each. Never more lanes, never a lane with a live lease, and none that
     * has been available since before {@code request.availableSince()}.
     *
     * <p>Before: the lane is available, that is ready, its back-off over, or its lease's time over. After: leased,
     * attempts one higher. A lane that turns out empty is settled in the same statement: its head is removed, or backs
     * off for up to a second where an open append holds it.
     *
     * <p><b>Locks.</b> {@code NO KEY UPDATE} on the heads it returns, skipping those that others hold: it does not wait
     * for a lease, a claim or an open append. One case is beyond {@code SKIP LOCKED}: where an open append pins a head
     * that was claimed just after this statement began, PostgreSQL waits for whoever holds the head now, and that may
     * deadlock.
     *
     * <p><b>Cost.</b> By the lanes and events returned, not by what waits: it walks
     * {@code dispatch_outbox_user_heads_available_idx}, or for a set of shards
     * {@code dispatch_outbox_user_heads_shard_available_idx}, then {@code dispatch_outbox_lane_idx} per lane.
     *
     * @return the leased lanes; empty when none is available, or when others hold them for the moment
     * @throws CallAgainException on a deadlock, or above READ COMMITTED when a head changed since the transaction's
     *     snapshot
     */
    public Claim claim(DSLContext dsl, ClaimRequest request) {
        return Database.call(() -> ClaimStatement.claimOf(ClaimStatement.fetch(dsl, now, request)));
    }

    /** Reports every claimed event as delivered; see {@link #finish}. */
    public List<LaneReport> complete(DSLContext dsl, Claim claim) {
        return finish(dsl, claim.lanes().stream().map(LaneOutcome::completed).toList());
    }

    /** Gives back lanes that were not tried; see {@link #finish}. For a worker that shuts down. */
    public List<LaneReport> release(DSLContext dsl, Collection<Lease> leases) {
        return finish(dsl, leases.stream().map(LaneOutcome::released).toList());
    }

    /**
     * Ends leases: deletes delivered events, records failures, and makes the lanes claimable again, all in one
     * statement.
     *
     * <p>Before: the lane has the outcome's lease. After: the lease has ended, whatever the lane's head is by then. The
     * head is the next event, ready; or the failed event, backing off or blocked, with its error and attempts; or gone,
     * where the lane is empty. A released lane keeps the attempts and error from before the claim.
     *
     * <p><b>Locks.</b> {@code NO KEY UPDATE} on the heads whose lane and lease match, ascending by user; then the
     * events. Events that another transaction is deleting are skipped and reported.
     *
     * <p><b>Cost.</b> By the lanes and events of the outcomes: it finds heads by the primary key and events by
     * {@code dispatch_outbox_lane_idx}.
     *
     * <p><b>Concurrency.</b> Two calls with the same lease: one finishes, the other is told that the lease is lost. Two
     * transactions that each call this several times for common lanes may deadlock; one call per transaction may,
     * rarely, with a claim. After a {@link CallAgainException} the leases are still held: call again with the same
     * outcomes.
     *
     * @param outcomes at most one per lane
     * @return one report per outcome, in their order; none for no outcomes, which sends nothing
     * @throws InvalidInputException if two outcomes are of the same lane
     * @throws CallAgainException on a deadlock, or above READ COMMITTED when a head changed since the snapshot
     */
    public List<LaneReport> finish(DSLContext dsl, Collection<LaneOutcome> outcomes) {
        checkDistinct(outcomes.stream().map(LaneOutcome::lease).toList());
        if (outcomes.isEmpty()) {
            return List.of();
        }
        return Database.call(() -> FinishStatement.reportsOf(outcomes, FinishStatement.fetch(dsl, now, outcomes)));
    }

    /**
     * Lets leases run for the given time from now on. Before and after: the lane is leased under this lease; one whose
     * time is over is good again if nobody has claimed the lane.
     *
     * <p><b>Locks.</b> {@code NO KEY UPDATE} on the heads whose lane and lease match, ascending by user, found by the
     * primary key. Where it waits for an outcome, or for another worker's claim, the lease is lost once that has
     * committed.
     *
     * @param time 1 millisecond to 30 days
     * @return until when each lease runs now; a lease that is not in it is lost. Empty for no leases, which sends
     *     nothing
     * @throws InvalidInputException if two leases are of the same lane, or the time is out of range
     * @throws CallAgainException on a deadlock, or above READ COMMITTED when a head changed since the snapshot
     */
    public Map<Lease, Instant> extend(DSLContext dsl, Collection<Lease> leases, Duration time) {
        Lease.checkTime(time);
        checkDistinct(leases);
        if (leases.isEmpty()) {
            return Map.of();
        }
        return Database.call(() -> ExtendStatement.query(dsl, now, leases, time).stream()
                .collect(toMap(
                        extended -> new Lease(extended.value1(), extended.value2()), extended -> extended.value3())));
    }

    /**
     * How long until a lane of these shards is available: a ready one is now, one that backs off when its delay is
     * over, a leased one when its lease is. Changes nothing, locks nothing, and costs less than a claim that finds
     * nothing: for workers that wait. It reads the first entry of {@code dispatch_outbox_user_heads_available_idx}, or
     * for a set of shards that of each shard in {@code dispatch_outbox_user_heads_shard_available_idx}.
     *
     * @return 0 when one is available; empty when none is and none will be by the passing of time, since every lane is
     *     blocked or there is none
     */
    public Optional<Duration> untilDue(DSLContext dsl, LogicalShards shards) {
        return Database.call(() -> DueStatement.query(dsl, now, shards).fetchOptional())
                .filter(first -> first.value1().isBefore(Instant.MAX))
                .map(first -> Spans.until(first.value1(), first.value2()));
    }

    private static void checkDistinct(Collection<Lease> leases) {
        Set<TargetUserId> lanes = new HashSet<>();
        for (Lease lease : leases) {
            if (!lanes.add(lease.lane())) {
                throw new InvalidInputException("lane " + lease.lane(), "must be named once in a batch");
            }
        }
    }
}
