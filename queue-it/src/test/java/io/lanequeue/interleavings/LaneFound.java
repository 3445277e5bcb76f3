package io.lanequeue.interleavings;

import static io.lanequeue.model.Violation.unless;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_DEAD_LETTERS;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;

import io.lanequeue.interleavings.LaneLedger.Hold;
import io.lanequeue.outbox.Disagreement;
import io.lanequeue.outbox.Disagreement.Kind;
import io.lanequeue.outbox.Lease;
import io.lanequeue.outbox.OutboxAudit;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.LeaseId;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.schema.jooq.tables.DispatchOutbox;
import io.lanequeue.schema.jooq.tables.DispatchOutboxDeadLetters;
import io.lanequeue.schema.jooq.tables.DispatchOutboxUserHeads;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** What the database holds of a lane. */
record LaneFound(
        List<EventId> events,
        Set<EventId> deadLetters,
        @Nullable Head head,
        List<Disagreement> disagreements) implements Report<LaneLedger> {

    private static final DispatchOutbox EVENT = DISPATCH_OUTBOX;
    private static final DispatchOutboxDeadLetters DEAD_LETTER = DISPATCH_OUTBOX_DEAD_LETTERS;
    private static final DispatchOutboxUserHeads HEAD = DISPATCH_OUTBOX_USER_HEADS;

    /** Those that a claim puts right. A head that stands too high must not be blocked. */
    private static final Set<Kind> EXPLAINED = EnumSet.of(Kind.EMPTY_LANE, Kind.DANGLING_HEAD, Kind.HEAD_TOO_HIGH);

    /** Longer than an empty lane ever backs off, and shorter than any delay of a scene. */
    private static final Duration A_WHILE = Duration.ofMinutes(1);

    record Head(EventId event, @Nullable LeaseId lease, Instant availableAt, Instant now) {

        Hold hold() {
            if (availableAt.equals(Instant.MAX)) {
                return Hold.BLOCK;
            }
            return lease == null && availableAt.isAfter(now.plus(A_WHILE)) ? Hold.DELAY : Hold.NONE;
        }
    }

    static LaneFound of(DSLContext dsl, TargetUserId lane) {
        return dsl.select(
                        array(select(EVENT.ID)
                                .from(EVENT)
                                .where(EVENT.TARGET_USER_ID.eq(lane))
                                .orderBy(EVENT.PTS, EVENT.ID)),
                        array(select(DEAD_LETTER.ID).from(DEAD_LETTER).where(DEAD_LETTER.TARGET_USER_ID.eq(lane))),
                        HEAD.HEAD_ID,
                        HEAD.LEASE_ID,
                        HEAD.AVAILABLE_AT,
                        currentOffsetDateTime())
                .from(selectOne())
                .leftJoin(HEAD)
                .on(HEAD.TARGET_USER_ID.eq(lane))
                .fetchSingle(row -> new LaneFound(
                        List.of(row.value1()),
                        new TreeSet<>(List.of(row.value2())),
                        row.value3() == null
                                ? null
                                : new Head(
                                        row.value3(),
                                        row.value4(),
                                        row.value5(),
                                        row.value6().toInstant()),
                        new OutboxAudit().disagreements(dsl, 1_000)));
    }

    @Override
    public void enterIn(LaneLedger ledger) {
        unless(events.equals(ledger.events()), "there are %s, and by the reports %s", events, ledger.events());
        unless(
                deadLetters.equals(ledger.deadLetters()),
                "dead letters are %s, and by the reports %s",
                deadLetters,
                ledger.deadLetters());
        Lease lease = ledger.lease();
        unless(
                Objects.equals(head == null ? null : head.lease(), lease == null ? null : lease.id()),
                "the head is %s, and by the reports leased by %s",
                head,
                lease);
        if (head != null && !events.isEmpty()) {
            unless(head.hold() == ledger.hold(), "the head is %s, and by the reports held by %s", head, ledger.hold());
            unless(
                    head.hold() != Hold.BLOCK || head.event().equals(events.get(0)),
                    "the head is %s, and the first of %s waits behind it",
                    head,
                    events);
        }
        unless(
                disagreements.stream().map(Disagreement::kind).allMatch(EXPLAINED::contains),
                "the audit finds %s",
                disagreements);
    }
}
