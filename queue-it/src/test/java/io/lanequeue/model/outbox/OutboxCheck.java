package io.lanequeue.model.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_DEAD_LETTERS;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;

import io.lanequeue.model.Violation;
import io.lanequeue.schema.jooq.tables.DispatchOutbox;
import io.lanequeue.schema.jooq.tables.DispatchOutboxDeadLetters;
import io.lanequeue.schema.jooq.tables.DispatchOutboxUserHeads;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Records;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** Compares what is committed with the model. */
final class OutboxCheck {

    private static final DispatchOutbox E = DISPATCH_OUTBOX;
    private static final DispatchOutboxUserHeads H = DISPATCH_OUTBOX_USER_HEADS;
    private static final DispatchOutboxDeadLetters D = DISPATCH_OUTBOX_DEAD_LETTERS;

    /** The longest back-off of a lane that a claim found empty; it is by the server's clock and not in the model. */
    private static final Duration SETTLED = Duration.ofSeconds(1);

    private OutboxCheck() {}

    static void check(OutboxModel committed, DSLContext dsl) {
        Set<Place> events = dsl.select(E.TARGET_USER_ID, E.PTS, E.ID)
                .from(E)
                .fetchSet(Records.mapping((lane, pts, id) -> new Place(lane.value(), pts, id)));
        Violation.unless(
                events.equals(committed.events()), "committed are events %s, not %s", events, committed.events());
        Set<Place> deadLetters = dsl.select(D.TARGET_USER_ID, D.PTS, D.ID)
                .from(D)
                .fetchSet(Records.mapping((lane, pts, id) -> new Place(lane.value(), pts, id)));
        Violation.unless(
                deadLetters.equals(committed.deadLetters()),
                "committed are dead letters %s, not %s",
                deadLetters,
                committed.deadLetters());
        Map<Long, Head> heads = heads(dsl);
        OutboxModel.LANES.forEach(lane -> checkLane(lane, Optional.ofNullable(heads.get(lane)), committed));
    }

    private static void checkLane(long lane, Optional<Head> head, OutboxModel committed) {
        Violation.unless(
                head.isPresent() || committed.events(lane).isEmpty(),
                "I1: lane %s has no head, but events %s",
                lane,
                committed.events(lane));
        Hold hold = committed.hold(lane);
        Violation.unless(
                head.map(seen -> fits(seen, hold)).orElse(hold instanceof Hold.Ready),
                "lane %s is %s, but its head is %s",
                lane,
                hold,
                head);
    }

    static Map<Long, Head> heads(DSLContext dsl) {
        Map<Long, Head> heads = new HashMap<>();
        dsl.select(
                        H.TARGET_USER_ID,
                        H.HEAD_PTS,
                        H.HEAD_ID,
                        H.LEASE_ID,
                        H.AVAILABLE_AT,
                        DSL.function("clock_timestamp", SQLDataType.TIMESTAMPWITHTIMEZONE))
                .from(H)
                .forEach(row -> heads.put(
                        row.value1().value(),
                        new Head(
                                new Place(row.value1().value(), row.value2(), row.value3()),
                                row.value4(),
                                due(row.value5(), row.value6()))));
        return heads;
    }

    private static Head.Due due(Instant availableAt, OffsetDateTime clock) {
        Instant now = clock.toInstant();
        if (availableAt.equals(Instant.MAX)) {
            return Head.Due.NEVER;
        }
        if (!availableAt.isAfter(now)) {
            return Head.Due.NOW;
        }
        return availableAt.isAfter(now.plus(SETTLED)) ? Head.Due.LATER : Head.Due.SOON;
    }

    private static boolean fits(Head head, Hold hold) {
        if (hold instanceof Hold.Leased leased) {
            return leased.lease().equals(head.lease()) && leased.isOver() == head.isDue();
        }
        if (head.lease() != null) {
            return false;
        }
        if (hold instanceof Hold.BackingOff backingOff) {
            return backingOff.failed().equals(head.place()) && backingOff.isOver() == head.isDue();
        }
        if (hold instanceof Hold.Blocked blocked) {
            return blocked.failed().equals(head.place()) && head.due() == Head.Due.NEVER;
        }
        return head.isDue() || head.due() == Head.Due.SOON;
    }
}
