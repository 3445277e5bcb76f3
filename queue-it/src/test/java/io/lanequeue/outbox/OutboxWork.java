package io.lanequeue.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;

import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jooq.DSLContext;

/** Gives the calls of an {@link OutboxCall} their work, in an {@link OutboxBacklog}. */
final class OutboxWork {

    private static final OutboxProducer PRODUCER = new OutboxProducer();
    private static final OutboxConsumer CONSUMER = new OutboxConsumer();
    private static final OutboxOperator OPERATOR = new OutboxOperator();
    private static final OutboxAudit AUDIT = new OutboxAudit();

    /** The lane in front. */
    private static final long FRONT = 0;

    private static final int BEHIND_ALL = 10_000_000;

    /** Lanes that nobody used before, so that nothing is left there of what was rolled back. */
    private static final AtomicLong NEW_LANES = new AtomicLong(20_000_000);

    private OutboxWork() {}

    private static long newLanes(int count) {
        return NEW_LANES.getAndAdd(count);
    }

    private static NewEvent event(long lane, int pts) {
        return NewEvent.of(lane, pts, "plan", "{}");
    }

    private static List<NewEvent> oneOfEach(long firstLane, int lanes, int pts) {
        return IntStream.range(0, lanes)
                .mapToObj(lane -> event(firstLane + lane, pts))
                .toList();
    }

    private static List<NewEvent> allOf(long lane, int events, int firstPts) {
        return IntStream.range(0, events)
                .mapToObj(pts -> event(lane, firstPts + pts))
                .toList();
    }

    // The producer's

    static ToIntFunction<DSLContext> append(DSLContext dsl, int events) {
        return append(BEHIND_ALL);
    }

    static ToIntFunction<DSLContext> appendInFront(DSLContext dsl, int events) {
        return append(0);
    }

    private static ToIntFunction<DSLContext> append(int pts) {
        return context -> {
            PRODUCER.append(context, event(FRONT + 1, pts));
            return 1;
        };
    }

    static ToIntFunction<DSLContext> appendAll(DSLContext dsl, int events) {
        return append(oneOfEach(FRONT, events, BEHIND_ALL));
    }

    static ToIntFunction<DSLContext> appendAllInFront(DSLContext dsl, int events) {
        return append(oneOfEach(FRONT, events, 0));
    }

    static ToIntFunction<DSLContext> appendAllToNewLanes(DSLContext dsl, int events) {
        return append(oneOfEach(newLanes(events), events, 1));
    }

    static ToIntFunction<DSLContext> appendAllToOneLane(DSLContext dsl, int events) {
        return append(allOf(FRONT + 1, events, BEHIND_ALL));
    }

    private static ToIntFunction<DSLContext> append(List<NewEvent> events) {
        return context -> PRODUCER.appendAll(context, events).size();
    }

    // The consumer's

    private static ClaimRequest request(int lanes, int eventsPerLane) {
        return ClaimRequest.by("plan").withLanes(lanes).withEventsPerLane(eventsPerLane);
    }

    static ToIntFunction<DSLContext> claim(DSLContext dsl, int lanes) {
        return claim(request(lanes, 2));
    }

    private static ToIntFunction<DSLContext> claim(ClaimRequest request) {
        return context -> CONSUMER.claim(context, request).lanes().size();
    }

    static ToIntFunction<DSLContext> claimOfOneLane(DSLContext dsl, int events) {
        deepenFront(dsl, events);
        return context -> CONSUMER.claim(context, request(1, events)).events().size();
    }

    /** In an even backlog there may be too few. */
    private static void deepenFront(DSLContext dsl, int events) {
        PRODUCER.appendAll(dsl, allOf(FRONT, events, BEHIND_ALL));
    }

    /** An eighth of the shards where these have as many lanes, else all but one, in which a hundred lanes have none. */
    static ToIntFunction<DSLContext> claimOfShards(DSLContext dsl, int lanes) {
        boolean few = lanes * 10 < dsl.fetchCount(DISPATCH_OUTBOX_USER_HEADS);
        LogicalShards shards = few
                ? LogicalShards.share(0, 8)
                : LogicalShards.of(IntStream.range(0, 255).toArray());
        return claim(request(lanes, 2).withShards(shards));
    }

    static ToIntFunction<DSLContext> claimThatSettles(DSLContext dsl, int lanes) {
        addEmptyLanes(dsl, lanes);
        return context -> CONSUMER.claim(context, request(lanes, 2)).settledLanes();
    }

    static ToIntFunction<DSLContext> claimThatCannotSettle(DSLContext dsl, int lanes) {
        goAboveReadCommitted(dsl);
        return claimThatSettles(dsl, lanes);
    }

    private static void goAboveReadCommitted(DSLContext dsl) {
        dsl.execute("set transaction isolation level repeatable read");
    }

    static ToIntFunction<DSLContext> untilDue(DSLContext dsl, int calls) {
        return untilDue(LogicalShards.all());
    }

    static ToIntFunction<DSLContext> untilDueInShards(DSLContext dsl, int calls) {
        return untilDue(LogicalShards.share(3, 8));
    }

    private static ToIntFunction<DSLContext> untilDue(LogicalShards shards) {
        return context ->
                CONSUMER.untilDue(context, shards).filter(Duration::isZero).isPresent() ? 1 : 0;
    }

    /** Lanes without events, due before all others. */
    private static void addEmptyLanes(DSLContext dsl, int lanes) {
        dsl.execute(
                "insert into lanequeue.dispatch_outbox_user_heads (target_user_id, head_id, head_pts, available_at)"
                        + " select n, 0, 0, '-infinity' from generate_series(?, ?) n",
                newLanes(lanes),
                NEW_LANES.get() - 1);
    }

    private static Claim claimed(DSLContext dsl, int lanes) {
        return CONSUMER.claim(dsl, request(lanes, 2));
    }

    private static LeasedLane claimedFront(DSLContext dsl, int events) {
        deepenFront(dsl, events);
        return CONSUMER.claim(dsl, request(1, events)).lanes().get(0);
    }

    private static List<Lease> leases(Claim claim) {
        return claim.lanes().stream().map(LeasedLane::lease).toList();
    }

    private static int count(List<LaneReport> reports, LaneReport.Status status) {
        return (int)
                reports.stream().filter(report -> report.status() == status).count();
    }

    private static ToIntFunction<DSLContext> finish(List<LaneOutcome> outcomes) {
        return context -> count(CONSUMER.finish(context, outcomes), LaneReport.Status.FINISHED);
    }

    static ToIntFunction<DSLContext> complete(DSLContext dsl, int lanes) {
        return complete(claimed(dsl, lanes));
    }

    private static ToIntFunction<DSLContext> complete(Claim claim) {
        return finish(claim.lanes().stream().map(LaneOutcome::completed).toList());
    }

    static ToIntFunction<DSLContext> completeOneLane(DSLContext dsl, int events) {
        LaneOutcome completed = LaneOutcome.completed(claimedFront(dsl, events));
        return context ->
                CONSUMER.finish(context, List.of(completed)).get(0).deleted().size();
    }

    static ToIntFunction<DSLContext> completeWithTheLastEvents(DSLContext dsl, int lanes) {
        addLanes(dsl, lanes, "'-infinity'");
        return complete(dsl, lanes);
    }

    static ToIntFunction<DSLContext> completeAboveReadCommitted(DSLContext dsl, int lanes) {
        goAboveReadCommitted(dsl);
        return completeWithTheLastEvents(dsl, lanes);
    }

    static ToIntFunction<DSLContext> completeUnderLostLeases(DSLContext dsl, int lanes) {
        Claim lost = claimed(dsl, lanes);
        CONSUMER.release(dsl, leases(lost));
        return context -> count(CONSUMER.complete(context, lost), LaneReport.Status.LEASE_LOST);
    }

    static ToIntFunction<DSLContext> release(DSLContext dsl, int lanes) {
        List<Lease> leases = leases(claimed(dsl, lanes));
        return context -> count(CONSUMER.release(context, leases), LaneReport.Status.FINISHED);
    }

    static ToIntFunction<DSLContext> finish(DSLContext dsl, int lanes) {
        Claim claim = claimed(dsl, lanes);
        return finish(IntStream.range(0, lanes)
                .mapToObj(number -> mixed(number, claim.lanes().get(number)))
                .toList());
    }

    private static LaneOutcome mixed(int number, LeasedLane lane) {
        EventId first = lane.events().get(0).id();
        EventId second = lane.events().get(1).id();
        return switch (number % 4) {
            case 0 -> LaneOutcome.retry(lane, second, Duration.ofSeconds(1), "failed");
            case 1 -> LaneOutcome.block(lane, first, "failed");
            case 2 -> LaneOutcome.deliveredThrough(lane, first);
            default -> LaneOutcome.completed(lane);
        };
    }

    static ToIntFunction<DSLContext> finishOneLane(DSLContext dsl, int events) {
        LeasedLane lane = claimedFront(dsl, events);
        EventId last = lane.events().get(events - 1).id();
        LaneOutcome failed = LaneOutcome.retry(lane, last, Duration.ofSeconds(1), "failed");
        return context -> {
            LaneReport report = CONSUMER.finish(context, List.of(failed)).get(0);
            return report.deleted().size() + count(List.of(report), LaneReport.Status.FINISHED);
        };
    }

    static ToIntFunction<DSLContext> extend(DSLContext dsl, int lanes) {
        List<Lease> leases = leases(claimed(dsl, lanes));
        return context ->
                CONSUMER.extend(context, leases, Duration.ofMinutes(1)).size();
    }

    // The operator's

    private static EventId headOfFront(DSLContext dsl) {
        return dsl.fetchSingle(
                        DISPATCH_OUTBOX_USER_HEADS,
                        DISPATCH_OUTBOX_USER_HEADS.TARGET_USER_ID.eq(new TargetUserId(FRONT)))
                .getHeadId();
    }

    /** Lanes available at the given time, in addition to those of the backlog, of which there may be too few. */
    private static void addLanes(DSLContext dsl, int lanes, String time) {
        long first = newLanes(lanes);
        PRODUCER.appendAll(dsl, oneOfEach(first, lanes, 1));
        dsl.execute(
                "update lanequeue.dispatch_outbox_user_heads set available_at = " + time + " where target_user_id >= ?",
                first);
    }

    static ToIntFunction<DSLContext> retryBlocked(DSLContext dsl, int lanes) {
        EventId head = headOfFront(dsl);
        dsl.execute(
                "update lanequeue.dispatch_outbox_user_heads set available_at = 'infinity' where target_user_id = ?",
                FRONT);
        return context -> OPERATOR.retryBlocked(context, new TargetUserId(FRONT), head) ? 1 : 0;
    }

    static ToIntFunction<DSLContext> deleteHead(DSLContext dsl, int events) {
        EventId head = headOfFront(dsl);
        return context -> (int) OPERATOR.deleteHead(context, new TargetUserId(FRONT), head, "plan")
                .events();
    }

    private static TargetUserId newLaneOf(DSLContext dsl, int events) {
        long lane = newLanes(1);
        PRODUCER.appendAll(dsl, allOf(lane, events, 1));
        return new TargetUserId(lane);
    }

    static ToIntFunction<DSLContext> deleteLane(DSLContext dsl, int events) {
        TargetUserId lane = newLaneOf(dsl, events);
        return context -> (int) OPERATOR.deleteLane(context, lane, "plan").events();
    }

    static ToIntFunction<DSLContext> redrive(DSLContext dsl, int letters) {
        List<EventId> ids = LongStream.rangeClosed(1, letters)
                .mapToObj(n -> new EventId(OutboxBacklog.DEAD_LETTERS_AFTER + n))
                .toList();
        return context -> OPERATOR.redrive(context, ids).size();
    }

    static ToIntFunction<DSLContext> purge(DSLContext dsl, int letters) {
        return context -> OPERATOR.purgeDeadLetters(context, Duration.ZERO, letters);
    }

    private static ToIntFunction<DSLContext> lanes(LaneQuery query) {
        return context -> OPERATOR.lanes(context, query).size();
    }

    static ToIntFunction<DSLContext> lanesReady(DSLContext dsl, int lanes) {
        return lanes(LaneQuery.of(LaneState.READY).withLimit(lanes));
    }

    static ToIntFunction<DSLContext> lanesReadyNextPage(DSLContext dsl, int lanes) {
        addEmptyLanes(dsl, 1); // so that there are enough for a second page
        LaneQuery first = LaneQuery.of(LaneState.READY).withLimit(1);
        return lanes(first.after(OPERATOR.lanes(dsl, first).get(0)).withLimit(lanes));
    }

    /** Those that are backing off and those that are leased lie in one range of time, and may all be looked at. */
    static int waitingLanes(int units, int lanes) {
        return units + OutboxBacklog.waiting(lanes);
    }

    static ToIntFunction<DSLContext> lanesBackingOff(DSLContext dsl, int lanes) {
        addLanes(dsl, lanes, "now() + interval '1 hour'");
        return lanes(LaneQuery.of(LaneState.BACKING_OFF).withLimit(lanes));
    }

    static ToIntFunction<DSLContext> lanesLeased(DSLContext dsl, int lanes) {
        claimed(dsl, lanes);
        return lanes(LaneQuery.of(LaneState.LEASED).withLimit(lanes));
    }

    static ToIntFunction<DSLContext> lanesBlocked(DSLContext dsl, int lanes) {
        addLanes(dsl, lanes, "'infinity'");
        return lanes(LaneQuery.of(LaneState.BLOCKED).withLimit(lanes));
    }

    static ToIntFunction<DSLContext> lanesBlockedNextPage(DSLContext dsl, int lanes) {
        int before = 1_000; // many more than a page of one may look at
        addLanes(dsl, before + lanes, "'infinity'");
        LaneQuery first = LaneQuery.of(LaneState.BLOCKED).withLimit(before);
        return lanes(first.after(OPERATOR.lanes(dsl, first).get(before - 1)).withLimit(lanes));
    }

    static ToIntFunction<DSLContext> depth(DSLContext dsl, int events) {
        TargetUserId lane = newLaneOf(dsl, events);
        return context -> (int) OPERATOR.depth(context, lane);
    }

    private static ToIntFunction<DSLContext> deadLetters(DeadLetterQuery query) {
        return context -> OPERATOR.deadLetters(context, query).size();
    }

    static ToIntFunction<DSLContext> deadLetters(DSLContext dsl, int letters) {
        return deadLetters(DeadLetterQuery.ofAll().withLimit(letters));
    }

    static ToIntFunction<DSLContext> deadLettersNextPage(DSLContext dsl, int letters) {
        EventId last = new EventId(OutboxBacklog.DEAD_LETTERS_AFTER + 10_000);
        return deadLetters(DeadLetterQuery.ofAll().withLimit(letters).after(last));
    }

    static ToIntFunction<DSLContext> deadLettersOfLane(DSLContext dsl, int letters) {
        return deadLetters(deadLettersOfFront(dsl, letters));
    }

    static ToIntFunction<DSLContext> deadLettersOfLaneNextPage(DSLContext dsl, int letters) {
        DeadLetterQuery query = deadLettersOfFront(dsl, letters + 1);
        EventId first =
                OPERATOR.deadLetters(dsl, query.withLimit(1)).get(0).event().id();
        return deadLetters(query.withLimit(letters).after(first));
    }

    /** In an even backlog there may be too few. */
    private static DeadLetterQuery deadLettersOfFront(DSLContext dsl, int letters) {
        dsl.execute(
                "insert into lanequeue.dispatch_outbox_dead_letters (id, target_user_id, pts, event_type, payload,"
                        + " created_at, attempts, reason)"
                        + " select n, ?, 1, 'plan', '{}', now(), 1, 'plan' from generate_series(?, ?) n",
                FRONT,
                2 * OutboxBacklog.DEAD_LETTERS_AFTER,
                2 * OutboxBacklog.DEAD_LETTERS_AFTER + letters - 1);
        return DeadLetterQuery.of(new TargetUserId(FRONT)).withLimit(letters);
    }

    static ToIntFunction<DSLContext> totals(DSLContext dsl, int calls) {
        return context -> OPERATOR.totals(context).ready() > 0 ? calls : 0;
    }

    // The audit's

    static ToIntFunction<DSLContext> disagreements(DSLContext dsl, int lanes) {
        addEmptyLanes(dsl, lanes);
        return context -> AUDIT.disagreements(context, lanes).size();
    }

    static ToIntFunction<DSLContext> repair(DSLContext dsl, int lanes) {
        addEmptyLanes(dsl, lanes);
        return context -> (int) AUDIT.repair(context).repairedLanes();
    }
}
