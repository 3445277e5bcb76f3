package io.lanequeue.outbox;

import io.lanequeue.CallAgainException;
import io.lanequeue.internal.Database;
import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.TargetUserId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;

/**
 * What operators do by hand: look at lanes, release a blocked one, take events out, bring them back. Stateless and
 * thread-safe.
 *
 * <p>Changes name the lane and the event, so that they never hit another event than the one that was looked at. They
 * lock the lane's head first ({@code NO KEY UPDATE}), then its events. The locks last until the transaction ends, also
 * where the call has waited for one and then changes nothing.
 *
 * <p>Changes wait for every open transaction that holds the head: a claim, an outcome or an extension, an append that
 * lowers it, another change or a deletion, a repair that moved it. Deletions and redrives wait for every open
 * {@link OutboxAudit#repair}. None waits for the time of a lease.
 *
 * <p><b>Isolation.</b> Any. Above READ COMMITTED with {@link CallAgainException} when the head changed since the
 * snapshot, and a lane that is emptied keeps a dangling head until a claim at READ COMMITTED settles it.
 */
public final class OutboxOperator {

    /** Longest reason that is kept with a dead letter, in characters. */
    public static final int MAX_REASON_LENGTH = 2_000;

    /** Most dead letters that one call redrives or purges. */
    public static final int MAX_BATCH = 10_000;

    /**
     * Lists lanes of one state, by {@code dispatch_outbox_user_heads_available_idx}; blocked ones, ascending by user,
     * by {@code dispatch_outbox_user_heads_blocked_idx}. Takes no lock.
     *
     * @return a page; empty when there are no more
     */
    public List<LaneStatus> lanes(DSLContext dsl, LaneQuery query) {
        return Database.call(() -> LaneStatements.list(dsl, query));
    }

    /** Counts lanes by state: one pass over the heads, none over the events. Takes no lock. */
    public LaneTotals totals(DSLContext dsl) {
        return Database.call(() -> LaneStatements.totals(dsl));
    }

    /** Counts the events of a lane, by {@code dispatch_outbox_lane_idx}; 0 for an unknown lane. Takes no lock. */
    public long depth(DSLContext dsl, TargetUserId lane) {
        return Database.call(() -> LaneStatements.depth(dsl, lane));
    }

    /**
     * Makes a blocked lane claimable at once. Before: blocked, with this event as its head. After: ready, attempts 0;
     * the error is kept until the next outcome. Finds the head by the primary key. Of two calls at once one returns
     * true.
     *
     * @return whether the lane was blocked on this event; if not, nothing was changed
     * @throws CallAgainException above READ COMMITTED, when the head changed since the snapshot
     */
    public boolean retryBlocked(DSLContext dsl, TargetUserId lane, EventId head) {
        return Database.call(() -> LaneStatements.retryBlocked(dsl, lane, head).execute() == 1);
    }

    /**
     * Takes the head out of a lane and keeps it as a dead letter. Before: the lane's head is this event, in any state
     * but leased; a lease whose time is over is ended. After: the next event is the head, ready. Finds the head by the
     * primary key, the event by {@code dispatch_outbox_lane_idx}. Of two calls at once one discards, the other finds
     * nothing.
     *
     * @param reason why, for those who find the dead letter; 1 to {@value #MAX_REASON_LENGTH} characters
     * @return whether the event is a dead letter now
     * @throws InvalidInputException if the reason is blank, too long, or cannot be stored
     * @throws CallAgainException on a deadlock, or above READ COMMITTED when the head changed since the snapshot
     */
    public Discard deleteHead(DSLContext dsl, TargetUserId lane, EventId head, String reason) {
        Inputs.text("reason", reason, MAX_REASON_LENGTH);
        return Database.call(() -> DiscardStatement.head(dsl, lane, head, reason));
    }

    /**
     * Takes every event out of a lane and keeps them as dead letters. Before: the lane has a backlog, in any state but
     * leased; a lease whose time is over is ended. After: no event that was visible when the call began; the lane goes
     * on with what arrived since.
     *
     * <p>One statement, however long the lane, by {@code dispatch_outbox_lane_idx}: the time and the log it writes grow
     * with the depth of the lane. Of two calls at once one discards, the other finds nothing.
     *
     * @param reason as for {@link #deleteHead}
     * @return whether it was done, and how many events are dead letters now
     * @throws InvalidInputException if the reason is blank, too long, or cannot be stored
     * @throws CallAgainException on a deadlock, or above READ COMMITTED when the head changed since the snapshot
     */
    public Discard deleteLane(DSLContext dsl, TargetUserId lane, String reason) {
        Inputs.text("reason", reason, MAX_REASON_LENGTH);
        return Database.call(() -> DiscardStatement.lane(dsl, lane, reason));
    }

    /**
     * Lists dead letters, oldest event first, by the primary key, or {@code dispatch_outbox_dead_letters_lane_idx} for
     * a lane. Takes no lock.
     *
     * @return a page; empty when there are no more
     */
    public List<DeadLetter> deadLetters(DSLContext dsl, DeadLetterQuery query) {
        return Database.call(() -> DeadLetterStatements.list(dsl, query));
    }

    /**
     * Appends dead letters to their lanes again, as new events with their old {@code pts}, created now and never tried,
     * and removes the dead letters. An id that is named twice counts once. With a low {@code pts} a redriven event is
     * the next one of its lane, also where later ones were delivered meanwhile; in front of a head that backs off or is
     * blocked it makes the lane claimable at once, as {@link LaneOutcome} says. Finds them by the primary key and locks
     * them {@code FOR UPDATE}, ascending by id; then locks as {@link OutboxProducer}. Waits for another redrive of the
     * same dead letters, and does not return what that one took.
     *
     * @param deadLetters up to {@value #MAX_BATCH} ids of dead letters
     * @return the new id of each; a dead letter that is not in it does not exist (any more)
     * @throws InvalidInputException if there are too many
     * @throws CallAgainException as for an append
     */
    public Map<EventId, EventId> redrive(DSLContext dsl, Collection<EventId> deadLetters) {
        if (deadLetters.isEmpty()) {
            return Map.of();
        }
        Inputs.limit("number of dead letters", deadLetters.size(), MAX_BATCH);
        return Database.call(() -> DeadLetterStatements.redrive(dsl, deadLetters));
    }

    /**
     * Deletes dead letters for good, the longest discarded first, by
     * {@code dispatch_outbox_dead_letters_discarded_at_idx}. Locks them {@code FOR UPDATE} and skips those that others
     * hold: several purges at once share the work.
     *
     * @param olderThan how long ago they must have been discarded, 0 to 3650 days
     * @param limit at most so many, 1 to {@value #MAX_BATCH}; call again while it returns this number
     * @return how many were deleted
     * @throws InvalidInputException if an argument is out of range
     * @throws CallAgainException above READ COMMITTED, when another call has taken one of them since the snapshot
     */
    public int purgeDeadLetters(DSLContext dsl, Duration olderThan, int limit) {
        Inputs.duration("age of dead letters", olderThan, Duration.ZERO, Duration.ofDays(3650));
        Inputs.limit("limit of dead letters", limit, MAX_BATCH);
        return Database.call(
                () -> DeadLetterStatements.purge(dsl, olderThan, limit).execute());
    }
}
