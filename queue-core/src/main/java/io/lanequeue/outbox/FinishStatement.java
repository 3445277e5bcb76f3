package io.lanequeue.outbox;

import static io.lanequeue.internal.PgSql.after;
import static io.lanequeue.internal.PgSql.ageOfVersion;
import static io.lanequeue.internal.PgSql.infinity;
import static io.lanequeue.internal.PgSql.isReadCommitted;
import static io.lanequeue.internal.PgSql.looksUp;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.trueCondition;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.when;

import io.lanequeue.internal.ArrayRows;
import io.lanequeue.outbox.LaneOutcome.Failure;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.LeaseId;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.schema.jooq.Routines;
import io.lanequeue.schema.jooq.tables.DispatchOutbox;
import io.lanequeue.schema.jooq.tables.DispatchOutboxUserHeads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Records;
import org.jooq.RowId;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;
import org.jspecify.annotations.Nullable;

/** The statement of {@link OutboxConsumer#finish}. */
final class FinishStatement {

    private static final DispatchOutboxUserHeads H = DISPATCH_OUTBOX_USER_HEADS;
    private static final DispatchOutboxUserHeads LOCKED = H.as("locked");
    private static final DispatchOutboxUserHeads SEEN = H.as("seen");
    private static final DispatchOutbox E = DISPATCH_OUTBOX;
    private static final DispatchOutbox EVENT = E.as("event");
    private static final DispatchOutbox FIRST = E.as("first");

    private static final Field<RowId> PLACE = field(name("place"), SQLDataType.ROWID);
    private static final Field<TargetUserId> FENCED_LANE =
            field(name("fenced", "lane"), H.TARGET_USER_ID.getDataType());
    private static final Field<TargetUserId> RECORDED_LANE =
            field(name("recorded", "lane"), H.TARGET_USER_ID.getDataType());
    private static final Field<Integer> RECORDED_PTS = field(name("recorded", "pts"), E.PTS.getDataType());
    private static final Field<EventId> RECORDED_EVENT = field(name("recorded", "event"), E.ID.getDataType());
    private static final Field<EventId> DELETED_EVENT = field(name("deleted", "id"), E.ID.getDataType());
    private static final Field<TargetUserId> DELETED_LANE =
            field(name("deleted", "target_user_id"), E.TARGET_USER_ID.getDataType());

    private FinishStatement() {}

    /**
     * One row per lane whose fence matched and event deleted of it; a lane of which nothing was deleted has one row.
     */
    static List<Ended> fetch(DSLContext dsl, Field<Instant> now, Collection<LaneOutcome> outcomes) {
        var given = new ArrayRows("given");
        Field<TargetUserId> givenLane = given.column(
                "lane",
                H.TARGET_USER_ID.getDataType(),
                map(outcomes, outcome -> outcome.lease().lane()));
        Field<LeaseId> givenLease = given.column(
                "lease",
                H.LEASE_ID.getDataType(),
                map(outcomes, outcome -> outcome.lease().id()));
        Field<Boolean> givenUntried = given.column(
                "untried",
                SQLDataType.BOOLEAN,
                map(outcomes, outcome -> outcome.delivered().isEmpty() && outcome.failure() == null));
        Field<EventId> givenFailed = given.column(
                "failed",
                E.ID.getDataType(),
                failures(outcomes, failure -> failure.event().id()));
        Field<Integer> givenFailedPts = given.column(
                "failed_pts",
                E.PTS.getDataType(),
                failures(outcomes, failure -> failure.event().pts()));
        Field<DayToSecond> givenDelay = given.column(
                "delay", SQLDataType.INTERVALDAYTOSECOND, failures(outcomes, failure -> interval(failure.delay())));
        Field<String> givenError =
                given.column("error", H.LAST_ERROR.getDataType(), failures(outcomes, Failure::error));

        List<Event> events = outcomes.stream()
                .flatMap(outcome -> outcome.delivered().stream())
                .toList();
        var delivered = new ArrayRows("delivered");
        Field<TargetUserId> deliveredLane = delivered.column(
                "lane",
                E.TARGET_USER_ID.getDataType(),
                events.stream().map(Event::targetUserId).toList());
        Field<Integer> deliveredPts = delivered.column(
                "pts", E.PTS.getDataType(), events.stream().map(Event::pts).toList());
        Field<EventId> deliveredEvent = delivered.column(
                "event", E.ID.getDataType(), events.stream().map(Event::id).toList());

        var outcome = select(givenLane, givenLease, givenUntried, givenFailed, givenFailedPts, givenDelay, givenError)
                .from(given.table())
                .orderBy(givenLane) // heads are locked in the order of their lanes
                .asTable("outcome");
        // A lateral lookup with LIMIT: an index scan per lane under any plan. Joined by key, the planner may hash all
        // heads.
        var lock = lateral(select(LOCKED.HEAD_ID, LOCKED.rowid().as(PLACE))
                .from(LOCKED)
                .where(LOCKED.TARGET_USER_ID.eq(outcome.field(givenLane)))
                .and(LOCKED.LEASE_ID.eq(outcome.field(givenLease)))
                .limit(inline(1))
                .forNoKeyUpdate()
                .asTable("head"));
        var fenced = name("fenced")
                .asMaterialized(select(outcome.fields())
                        .select(lock.field(LOCKED.HEAD_ID), lock.field(PLACE))
                        .from(outcome)
                        .crossJoin(lock));
        Field<TargetUserId> fencedLane = fenced.field(givenLane);

        // It depends on the fenced lane, so that no plan locks an event before its lane's fence was found to match; and
        // it names all columns of the lane index, so that whichever index the planner takes, the event is looked up.
        var eventToDelete = lateral(select(EVENT.rowid().as("place"), EVENT.ID)
                .from(EVENT)
                .where(EVENT.TARGET_USER_ID.eq(fencedLane))
                .and(EVENT.PTS.eq(deliveredPts))
                .and(EVENT.ID.eq(deliveredEvent))
                .limit(inline(1))
                .forUpdate()
                .skipLocked()
                .asTable("event_to_delete"));
        var mine = name("mine")
                .asMaterialized(select(eventToDelete.fields())
                        .from(delivered.table())
                        .join(fenced)
                        .on(fencedLane.eq(deliveredLane))
                        .crossJoin(eventToDelete));
        // By ctid, as in the claim. An event whose payload is updated in this moment is missed, and delivered again.
        var deleted = name("deleted")
                .as(deleteFrom(E)
                        .where(E.rowid()
                                .eq(any(array(
                                        select(mine.field("place", RowId.class)).from(mine)))))
                        .returningResult(E.ID, E.TARGET_USER_ID));

        // Locked, so that a delete of the failed event by others comes before (then it is skipped) or after (then its
        // trigger sees the head as it is written here), never in between.
        var failedEvent = lateral(select(EVENT.ID, EVENT.PTS)
                .from(EVENT)
                .where(EVENT.TARGET_USER_ID.eq(fencedLane))
                .and(EVENT.PTS.eq(fenced.field(givenFailedPts)))
                .and(EVENT.ID.eq(fenced.field(givenFailed)))
                .limit(inline(1))
                .forUpdate()
                .skipLocked()
                .asTable("failed_event"));
        Field<EventId> failedId = failedEvent.field(EVENT.ID);
        Field<Integer> failedPts = failedEvent.field(EVENT.PTS);
        // A failure counts only for the first event that is not delivered, that is, not deleted: one that was locked
        // stays if its payload was updated meanwhile. Scalar subqueries, which no plan turns into joins.
        var firstUndelivered = field(select(FIRST.ID)
                .from(FIRST)
                .where(FIRST.TARGET_USER_ID.between(fencedLane, fencedLane))
                .and(FIRST.ID.notIn(select(DELETED_EVENT).from(deleted)))
                .orderBy(FIRST.TARGET_USER_ID, FIRST.PTS, FIRST.ID)
                .limit(inline(1)));
        // By its lease too: an old snapshot may show a head that is gone beside the one this transaction made.
        var headOfSnapshot = field(select(SEEN.HEAD_ID)
                .from(SEEN)
                .where(SEEN.TARGET_USER_ID.eq(fencedLane))
                .and(SEEN.LEASE_ID.eq(fenced.field(givenLease))));
        var recorded = name("recorded")
                .asMaterialized(select(fencedLane.as("lane"), failedId.as("event"), failedPts.as("pts"))
                        .from(fenced)
                        .crossJoin(failedEvent)
                        .where(failedId.eq(firstUndelivered))
                        // The lock shows the head of now, the plain look the head of the snapshot. Where they differ
                        // the head was lowered while the lock was waited for, to an event that is not visible here.
                        .and(fenced.field(LOCKED.HEAD_ID).eq(headOfSnapshot)));

        Condition isDeletedFrom = fencedLane.in(select(DELETED_LANE).from(deleted));
        // Where the head's event goes, the head moves on in the same update; the delete trigger would do it in another
        // one. Elsewhere it stays: a head that was lowered meanwhile names an event that is not visible here.
        var next = lateral(select(FIRST.ID, FIRST.PTS)
                .from(FIRST)
                .where(FIRST.TARGET_USER_ID.between(fencedLane, fencedLane))
                .and(FIRST.ID.notIn(select(DELETED_EVENT).from(deleted)))
                .and(isDeletedFrom)
                .orderBy(FIRST.TARGET_USER_ID, FIRST.PTS, FIRST.ID)
                .limit(inline(1))
                .asTable("next"));
        Condition isHeadDeleted =
                fenced.field(LOCKED.HEAD_ID).in(select(DELETED_EVENT).from(deleted));
        // The age first: the function is for the few that are younger than this transaction.
        Condition isOfOthers =
                ageOfVersion(LOCKED).gt(inline(0)).or(not(Routines.dispatchOutboxIsOwnVersion(ageOfVersion(LOCKED))));
        // A head that the trigger is going to remove is locked for that before this transaction changes it; the name of
        // the lease's holder, left on it, tells the trigger. PostgreSQL grants KEY SHARE on a row whose change and
        // removal are rolled back, and does not look whether somebody has changed it again: an append that waited for
        // this transaction would pin a version that is no more, and lose its head (ADR 18). By its place: while
        // somebody holds a snapshot open, a look by key walks past every version of the lane's heads since. One that
        // was changed while the lock was waited for is not seen at its place, and stays for the next claim.
        var emptying = lateral(select(LOCKED.TARGET_USER_ID)
                .from(LOCKED)
                .where(LOCKED.rowid().eq(fenced.field(PLACE)))
                .and(isDeletedFrom)
                .and(next.field(FIRST.ID).isNull())
                // Where the head was lowered meanwhile it stays.
                .and(isHeadDeleted.or(fenced.field(LOCKED.HEAD_ID).eq(headOfSnapshot)))
                .and(isOfOthers)
                .and(isReadCommitted())
                .limit(inline(1))
                .forUpdate()
                .skipLocked()
                .asTable("emptying"));
        var ending = name("ending")
                .asMaterialized(select(fenced.fields())
                        .select(RECORDED_EVENT.as("recorded_event"))
                        .select(coalesce(RECORDED_EVENT, when(isHeadDeleted, next.field(FIRST.ID)))
                                .as("new_head"))
                        .select(coalesce(RECORDED_PTS, when(isHeadDeleted, next.field(FIRST.PTS)))
                                .as("new_pts"))
                        .select(emptying.field(LOCKED.TARGET_USER_ID).as("emptying"))
                        .from(fenced)
                        .leftJoin(recorded)
                        .on(RECORDED_LANE.eq(fencedLane))
                        .leftJoin(next)
                        .on(trueCondition())
                        .leftJoin(emptying)
                        .on(trueCondition()));
        Field<EventId> recordedEvent = ending.field(RECORDED_EVENT.as("recorded_event"));
        Field<EventId> newHead = ending.field(H.HEAD_ID.as("new_head"));
        Field<Integer> newPts = ending.field(H.HEAD_PTS.as("new_pts"));
        Condition isEmptying = ending.field(H.TARGET_USER_ID.as("emptying")).isNotNull();
        Field<Boolean> untried = ending.field(givenUntried);
        Field<DayToSecond> delay = ending.field(givenDelay);
        // Every lane whose fence matched, whatever its head is by now: a lease that nobody holds would stall the lane.
        // Looked up by key and not by ctid, which a head that was lowered meanwhile would slip through.
        var ended = name("ended")
                .as(update(H)
                        .setNull(H.LEASE_ID)
                        .set(H.LEASED_BY, when(isEmptying, H.LEASED_BY))
                        .set(H.HEAD_ID, coalesce(newHead, H.HEAD_ID))
                        .set(H.HEAD_PTS, coalesce(newPts, H.HEAD_PTS))
                        .set(
                                H.AVAILABLE_AT,
                                when(recordedEvent.isNull(), now)
                                        .when(delay.isNull(), infinity())
                                        .otherwise(after(now, delay)))
                        .set(
                                H.ATTEMPTS,
                                when(recordedEvent.eq(H.HEAD_ID), H.ATTEMPTS)
                                        .when(recordedEvent.isNotNull(), inline(1))
                                        .when(untried, greatest(H.ATTEMPTS.minus(inline(1)), inline(0)))
                                        .otherwise(inline(0)))
                        .set(
                                H.LAST_ERROR,
                                when(recordedEvent.isNotNull(), ending.field(givenError))
                                        .when(untried, H.LAST_ERROR))
                        .from(ending)
                        .where(looksUp(H.TARGET_USER_ID, ending, ending.field(givenLane)))
                        .returningResult(H.TARGET_USER_ID));

        return dsl.with(fenced)
                .with(mine)
                .with(deleted)
                .with(recorded)
                .with(ending)
                .with(ended)
                .select(FENCED_LANE, RECORDED_EVENT, DELETED_EVENT)
                .from(fenced)
                .leftJoin(recorded)
                .on(RECORDED_LANE.eq(FENCED_LANE))
                .leftJoin(deleted)
                .on(DELETED_LANE.eq(FENCED_LANE))
                .fetch(Records.mapping(Ended::new));
    }

    /** A lane whose fence matched, the failed event that was written on it, and an event that was deleted of it. */
    record Ended(
            TargetUserId lane,
            @Nullable EventId recorded,
            @Nullable EventId deleted) {}

    private static <T> List<T> map(Collection<LaneOutcome> outcomes, Function<LaneOutcome, T> part) {
        return outcomes.stream().map(part).toList();
    }

    private static <T> List<@Nullable T> failures(
            Collection<LaneOutcome> outcomes, Function<Failure, @Nullable T> part) {
        List<@Nullable T> parts = new ArrayList<>();
        for (LaneOutcome outcome : outcomes) {
            Failure failure = outcome.failure();
            parts.add(failure == null ? null : part.apply(failure));
        }
        return parts;
    }

    private static @Nullable DayToSecond interval(@Nullable Duration duration) {
        return duration == null ? null : DayToSecond.valueOf(duration);
    }

    static List<LaneReport> reportsOf(Collection<LaneOutcome> outcomes, List<Ended> rows) {
        Map<TargetUserId, List<Ended>> lanes = rows.stream().collect(groupingBy(Ended::lane));
        return outcomes.stream()
                .map(outcome -> {
                    List<Ended> lane = lanes.get(outcome.lease().lane());
                    return lane == null ? lost(outcome) : report(outcome, lane);
                })
                .toList();
    }

    private static LaneReport lost(LaneOutcome outcome) {
        return new LaneReport(outcome.lease(), LaneReport.Status.LEASE_LOST, List.of(), List.of());
    }

    private static LaneReport report(LaneOutcome outcome, List<Ended> lane) {
        Set<@Nullable EventId> gone = lane.stream().map(Ended::deleted).collect(toSet());
        List<EventId> delivered = outcome.delivered().stream().map(Event::id).toList();
        boolean displaced = outcome.failure() != null && lane.get(0).recorded() == null;
        return new LaneReport(
                outcome.lease(),
                displaced ? LaneReport.Status.DISPLACED : LaneReport.Status.FINISHED,
                delivered.stream().filter(gone::contains).toList(),
                delivered.stream().filter(event -> !gone.contains(event)).toList());
    }
}
