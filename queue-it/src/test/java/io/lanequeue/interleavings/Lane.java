package io.lanequeue.interleavings;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_DEAD_LETTERS;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LaneOutcome;
import io.lanequeue.outbox.LaneReport;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.outbox.LogicalShards;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.outbox.OutboxOperator;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** A lane with two events, and one in the dead letters that came before them. */
final class Lane implements Subject<LaneLedger> {

    static final int DEAD_PTS = 10;
    static final int UNSEEN_PTS = 15;
    static final int FIRST_PTS = 20;
    static final int LAST_PTS = 30;

    static final OutboxProducer PRODUCER = new OutboxProducer();
    static final OutboxConsumer CONSUMER = new OutboxConsumer();
    static final OutboxOperator OPERATOR = new OutboxOperator();

    private static final OutboxConsumer TOMORROW =
            OutboxConsumer.at(Instant.now().plus(Duration.ofDays(1)));

    private final TargetUserId id;
    private final EventId deadLetter;
    private final EventId first;
    private final LaneLedger ledger;
    private @Nullable LeasedLane leased;

    Lane(DSLContext dsl, long number) {
        id = new TargetUserId(number);
        deadLetter = new EventId(-number); // never given by the database
        keepDeadLetter(dsl);
        ledger = new LaneLedger(deadLetter);
        List<EventId> events = PRODUCER.appendAll(dsl, List.of(event(FIRST_PTS), event(LAST_PTS)));
        first = events.get(0);
        ledger.appended(first, FIRST_PTS);
        ledger.appended(events.get(1), LAST_PTS);
    }

    /** As a deletion long ago left it. */
    private void keepDeadLetter(DSLContext dsl) {
        NewEvent event = event(DEAD_PTS);
        dsl.insertInto(DISPATCH_OUTBOX_DEAD_LETTERS)
                .set(DISPATCH_OUTBOX_DEAD_LETTERS.ID, deadLetter)
                .set(DISPATCH_OUTBOX_DEAD_LETTERS.TARGET_USER_ID, id)
                .set(DISPATCH_OUTBOX_DEAD_LETTERS.PTS, event.pts())
                .set(DISPATCH_OUTBOX_DEAD_LETTERS.EVENT_TYPE, event.eventType())
                .set(DISPATCH_OUTBOX_DEAD_LETTERS.PAYLOAD, event.payload())
                .set(DISPATCH_OUTBOX_DEAD_LETTERS.CREATED_AT, Instant.EPOCH)
                .set(DISPATCH_OUTBOX_DEAD_LETTERS.ATTEMPTS, 1)
                .set(DISPATCH_OUTBOX_DEAD_LETTERS.REASON, "not wanted")
                .execute();
    }

    TargetUserId id() {
        return id;
    }

    EventId deadLetter() {
        return deadLetter;
    }

    EventId first() {
        return first;
    }

    /** The lane as it was leased, whoever may have it now. */
    LeasedLane leased() {
        if (leased == null) {
            throw new IllegalStateException("Lane " + id + " was not leased");
        }
        return leased;
    }

    NewEvent event(int pts) {
        return NewEvent.of(id.value(), pts, "message", "{}");
    }

    void lease(DSLContext dsl) {
        Claim claim = CONSUMER.claim(dsl, request());
        ledger.claimed(claim);
        leased = claim.lanes().get(0);
    }

    void letTheLeaseRunOut(DSLContext dsl) {
        dsl.update(DISPATCH_OUTBOX_USER_HEADS)
                .set(DISPATCH_OUTBOX_USER_HEADS.AVAILABLE_AT, Instant.EPOCH)
                .where(DISPATCH_OUTBOX_USER_HEADS.TARGET_USER_ID.eq(id))
                .execute();
        ledger.leaseRanOut();
    }

    void finish(DSLContext dsl, LaneOutcome outcome) {
        ledger.finished(CONSUMER.finish(dsl, List.of(outcome)).get(0));
    }

    void block(DSLContext dsl) {
        LaneReport report = CONSUMER.finish(dsl, List.of(LaneOutcome.block(leased(), first, "poison")))
                .get(0);
        ledger.failed(report, first, LaneLedger.Hold.BLOCK);
    }

    void deleteEvents(DSLContext dsl) {
        dsl.deleteFrom(DISPATCH_OUTBOX)
                .where(DISPATCH_OUTBOX.TARGET_USER_ID.eq(id))
                .execute();
        ledger.events().forEach(ledger::remove);
    }

    /** As logical replication does. */
    void appendRoundTheTriggers(DSLContext dsl) {
        dsl.execute("set session_replication_role = replica");
        ledger.appended(PRODUCER.append(dsl, event(UNSEEN_PTS)), UNSEEN_PTS);
        dsl.execute("reset session_replication_role");
    }

    private ClaimRequest request() {
        return ClaimRequest.by("worker").withEventsPerLane(10).withShards(LogicalShards.of(id.logicalShard()));
    }

    @Override
    public LaneLedger ledger() {
        return new LaneLedger(ledger);
    }

    @Override
    public Report<LaneLedger> look(DSLContext dsl) {
        return LaneFound.of(dsl, id);
    }

    @Override
    public void drain(DSLContext dsl, LaneLedger ledger) {
        if (ledger.hold() == LaneLedger.Hold.BLOCK) {
            assertThat(TOMORROW.claim(dsl, request()).isIdle()).as("blocked").isTrue();
            assertThat(OPERATOR.retryBlocked(dsl, id, ledger.events().get(0))).isTrue();
        }
        assertThat(TOMORROW.claim(dsl, request()).events())
                .extracting(Event::id)
                .isEqualTo(ledger.events());
    }

    @Override
    public String toString() {
        return "lane " + id;
    }
}
