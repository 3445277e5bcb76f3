package io.lanequeue.interleavings;

import static io.lanequeue.interleavings.Lane.CONSUMER;
import static io.lanequeue.interleavings.Lane.OPERATOR;
import static io.lanequeue.interleavings.Lane.PRODUCER;
import static io.lanequeue.interleavings.LaneScene.AMISS;
import static io.lanequeue.interleavings.LaneScene.BLOCKED;
import static io.lanequeue.interleavings.LaneScene.DANGLING;
import static io.lanequeue.interleavings.LaneScene.DRAINED;
import static io.lanequeue.interleavings.LaneScene.EMPTIED;
import static io.lanequeue.interleavings.LaneScene.LEASE_OVER;
import static io.lanequeue.interleavings.LaneScene.READY;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;

import io.lanequeue.interleavings.LaneLedger.Hold;
import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.Discard;
import io.lanequeue.outbox.LaneOutcome;
import io.lanequeue.outbox.LaneReport;
import io.lanequeue.outbox.Lease;
import io.lanequeue.outbox.OutboxAudit;
import io.lanequeue.schema.EventId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.DSLContext;

/** The calls on lanes. */
enum LaneOperation implements Operation<Lane, LaneLedger> {
    APPEND("append", lane -> append(lane, 40), READY, LEASE_OVER, BLOCKED, EMPTIED, DANGLING, AMISS),
    APPEND_BEFORE("append before", lane -> append(lane, 1), READY, LEASE_OVER, BLOCKED, EMPTIED, DANGLING, AMISS),
    APPEND_FIRST("first append", lane -> append(lane, 20), DRAINED),
    CLAIM("claim", lane -> LaneOperation::claim, READY, LEASE_OVER, AMISS),
    SETTLE("settle", lane -> LaneOperation::claim, EMPTIED, DANGLING),
    COMPLETE("complete", lane -> finish(LaneOutcome.completed(lane.leased())), LEASE_OVER, EMPTIED, AMISS),
    COMPLETE_PART(
            "complete a part",
            lane -> finish(LaneOutcome.deliveredThrough(lane.leased(), lane.first())),
            LEASE_OVER,
            EMPTIED,
            AMISS),
    RETRY(
            "retry",
            lane -> fail(
                    LaneOutcome.retry(lane.leased(), lane.first(), Duration.ofHours(1), "error"),
                    lane.first(),
                    Hold.DELAY),
            LEASE_OVER,
            EMPTIED,
            AMISS),
    BLOCK(
            "block",
            lane -> fail(LaneOutcome.block(lane.leased(), lane.first(), "poison"), lane.first(), Hold.BLOCK),
            LEASE_OVER,
            EMPTIED,
            AMISS),
    EXTEND("extend", LaneOperation::extend, LEASE_OVER, EMPTIED, AMISS),
    RELEASE("release", lane -> finish(LaneOutcome.released(lane.leased())), LEASE_OVER, EMPTIED, AMISS),
    RETRY_BLOCKED("retry blocked", LaneOperation::retryBlocked, BLOCKED),
    DELETE_HEAD("delete head", LaneOperation::deleteHead, READY, LEASE_OVER, BLOCKED, AMISS),
    DELETE_LANE("delete lane", LaneOperation::deleteLane, READY, LEASE_OVER, BLOCKED, AMISS),
    DELETE_HEAD_BY_SQL(
            "SQL delete head",
            lane -> deleteBySql(DISPATCH_OUTBOX.ID.eq(lane.first())),
            READY,
            LEASE_OVER,
            BLOCKED,
            AMISS),
    DELETE_LANE_BY_SQL(
            "SQL delete lane",
            lane -> deleteBySql(DISPATCH_OUTBOX.TARGET_USER_ID.eq(lane.id())),
            READY,
            LEASE_OVER,
            BLOCKED,
            AMISS),
    REDRIVE("redrive", LaneOperation::redrive, READY, LEASE_OVER, BLOCKED, EMPTIED, DANGLING, DRAINED, AMISS),
    REPAIR("repair", lane -> LaneOperation::repair, AMISS, DANGLING);

    private final String title;
    private final Function<Lane, Function<DSLContext, Report<LaneLedger>>> call;
    private final List<LaneScene> scenes;

    LaneOperation(String title, Function<Lane, Function<DSLContext, Report<LaneLedger>>> call, LaneScene... scenes) {
        this.title = title;
        this.call = call;
        this.scenes = List.of(scenes);
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public List<LaneScene> scenes() {
        return scenes;
    }

    @Override
    public Function<DSLContext, Report<LaneLedger>> on(Lane lane) {
        return call.apply(lane);
    }

    private static Function<DSLContext, Report<LaneLedger>> append(Lane lane, int pts) {
        return dsl -> {
            EventId event = PRODUCER.append(dsl, lane.event(pts));
            return ledger -> ledger.appended(event, pts);
        };
    }

    private static Report<LaneLedger> claim(DSLContext dsl) {
        Claim claim = CONSUMER.claim(dsl, ClaimRequest.by("other worker").withEventsPerLane(10));
        return ledger -> ledger.claimed(claim);
    }

    private static Function<DSLContext, Report<LaneLedger>> finish(LaneOutcome outcome) {
        return dsl -> {
            LaneReport report = CONSUMER.finish(dsl, List.of(outcome)).get(0);
            return ledger -> ledger.finished(report);
        };
    }

    private static Function<DSLContext, Report<LaneLedger>> fail(LaneOutcome outcome, EventId failed, Hold hold) {
        return dsl -> {
            LaneReport report = CONSUMER.finish(dsl, List.of(outcome)).get(0);
            return ledger -> ledger.failed(report, failed, hold);
        };
    }

    private static Function<DSLContext, Report<LaneLedger>> extend(Lane lane) {
        Lease lease = lane.leased().lease();
        return dsl -> {
            Map<Lease, Instant> extended = CONSUMER.extend(dsl, List.of(lease), Duration.ofHours(1));
            return ledger -> ledger.extended(lease, extended);
        };
    }

    private static Function<DSLContext, Report<LaneLedger>> retryBlocked(Lane lane) {
        return dsl -> {
            boolean retried = OPERATOR.retryBlocked(dsl, lane.id(), lane.first());
            return ledger -> ledger.retried(lane.first(), retried);
        };
    }

    private static Function<DSLContext, Report<LaneLedger>> deleteHead(Lane lane) {
        return dsl -> {
            Discard discard = OPERATOR.deleteHead(dsl, lane.id(), lane.first(), "not wanted");
            return ledger -> ledger.discarded(discard, List.of(lane.first()));
        };
    }

    private static Function<DSLContext, Report<LaneLedger>> deleteLane(Lane lane) {
        return dsl -> {
            Discard discard = OPERATOR.deleteLane(dsl, lane.id(), "not wanted");
            return ledger -> ledger.discarded(discard, ledger.events());
        };
    }

    private static Function<DSLContext, Report<LaneLedger>> deleteBySql(Condition events) {
        return dsl -> {
            List<EventId> deleted = dsl.deleteFrom(DISPATCH_OUTBOX)
                    .where(events)
                    .returningResult(DISPATCH_OUTBOX.ID)
                    .fetch(DISPATCH_OUTBOX.ID);
            return ledger -> deleted.forEach(ledger::remove);
        };
    }

    private static Function<DSLContext, Report<LaneLedger>> redrive(Lane lane) {
        return dsl -> {
            Map<EventId, EventId> newIds = OPERATOR.redrive(dsl, List.of(lane.deadLetter()));
            return ledger -> ledger.redriven(newIds, Lane.DEAD_PTS);
        };
    }

    /** Changes nothing that a ledger knows of. */
    private static Report<LaneLedger> repair(DSLContext dsl) {
        new OutboxAudit().repair(dsl);
        return ledger -> {};
    }
}
