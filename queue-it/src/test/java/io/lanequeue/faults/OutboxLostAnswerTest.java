package io.lanequeue.faults;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.ConnectionLostException;
import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.Discard;
import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LaneQuery;
import io.lanequeue.outbox.LaneReport;
import io.lanequeue.outbox.LaneState;
import io.lanequeue.outbox.Operation;
import io.lanequeue.outbox.OutboxAudit;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.outbox.OutboxOperator;
import io.lanequeue.outbox.Repair;
import io.lanequeue.schema.EventId;
import io.lanequeue.testing.Gate;
import io.lanequeue.testing.QueueContents;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Relay;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Wiring;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each call of the outbox does when it is made again because its first answer was lost. */
class OutboxLostAnswerTest {

    private static final AtomicInteger LOST = new AtomicInteger();

    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);
    private final DSLContext dsl = db.open().dsl();

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @AfterAll
    static void tellHowMany() {
        System.out.println("Lost answers, outbox: " + LOST + " calls made again");
    }

    @ParameterizedTest
    @EnumSource
    void callingAgainIsSafe(Operation operation) throws IOException, SQLException {
        Function<DSLContext, Object> call = operation.prepare(dsl);
        QueueContents before = QueueContents.of(dsl);

        LostAnswer.of(db, call);
        LOST.incrementAndGet();
        QueueContents first = QueueContents.of(dsl);
        Object again = call.apply(db.open().dsl());

        assertThat(first.equals(before)).isEqualTo(operation.isReadOnly());
        assertDefined(operation, first, again);
        assertThatWhatIsLeftIsDeliveredInOrder();
    }

    private void assertDefined(Operation operation, QueueContents first, Object again) {
        switch (operation) {
            case APPEND, APPEND_ALL ->
                assertThat(dsl.fetchCount(DISPATCH_OUTBOX))
                        .as("twice what was asked for")
                        .isEqualTo(again instanceof Collection<?> events ? 2 * events.size() : 2);
            case EXTEND -> assertThat((Map<?, ?>) again).as("still held").hasSize(1);
            default -> {
                assertThat(QueueContents.of(dsl)).as("nothing is done twice").isEqualTo(first);
                assertAnswer(operation, again);
            }
        }
    }

    private static void assertAnswer(Operation operation, Object again) {
        switch (operation) {
            case CLAIM, CLAIM_OF_SHARDS, CLAIM_THAT_SETTLES ->
                assertThat(again).isEqualTo(new Claim(List.of(), 0, null));
            case COMPLETE, RELEASE, FINISH ->
                assertThat((Collection<?>) again)
                        .isNotEmpty()
                        .allSatisfy(report ->
                                assertThat(((LaneReport) report).status()).isEqualTo(LaneReport.Status.LEASE_LOST));
            case RETRY_BLOCKED -> assertThat(again).isEqualTo(false);
            case DELETE_HEAD, DELETE_LANE -> assertThat(again).isEqualTo(new Discard(Discard.Status.NOT_FOUND, 0));
            case REDRIVE -> assertThat(again).isEqualTo(Map.of());
            case PURGE -> assertThat(again).isEqualTo(0);
            case REPAIR -> assertThat(again).isEqualTo(new Repair(0, 0));
            case LANES,
                    UNTIL_DUE,
                    UNTIL_DUE_IN_SHARDS,
                    LANES_BACKING_OFF,
                    LANES_LEASED,
                    LANES_BLOCKED,
                    LANES_OF_THE_NEXT_PAGE,
                    LANES_BLOCKED_OF_THE_NEXT_PAGE,
                    TOTALS,
                    DEPTH,
                    DEAD_LETTERS,
                    DEAD_LETTERS_OF_THE_NEXT_PAGE,
                    DEAD_LETTERS_OF_A_LANE,
                    DEAD_LETTERS_OF_THE_NEXT_PAGE_OF_A_LANE,
                    DISAGREEMENTS -> assertThat(again).isNotNull();
            default -> throw new AssertionError("What does " + operation + " answer?");
        }
    }

    /** Leases are over tomorrow. */
    private void assertThatWhatIsLeftIsDeliveredInOrder() {
        var operator = new OutboxOperator();
        operator.lanes(dsl, LaneQuery.of(LaneState.BLOCKED))
                .forEach(lane -> operator.retryBlocked(dsl, lane.lane(), lane.headId()));
        List<EventId> left = dsl.select(DISPATCH_OUTBOX.ID)
                .from(DISPATCH_OUTBOX)
                .orderBy(DISPATCH_OUTBOX.TARGET_USER_ID, DISPATCH_OUTBOX.PTS, DISPATCH_OUTBOX.ID)
                .fetch(DISPATCH_OUTBOX.ID);
        var tomorrow = OutboxConsumer.at(Instant.now().plus(Duration.ofDays(1)));

        List<EventId> delivered = new ArrayList<>();
        Claim claim = tomorrow.claim(dsl, ClaimRequest.by("worker"));
        while (!claim.isIdle()) {
            claim.events().stream().map(Event::id).forEach(delivered::add);
            tomorrow.complete(dsl, claim);
            claim = tomorrow.claim(dsl, ClaimRequest.by("worker"));
        }

        assertThat(delivered).isEqualTo(left);
        assertThat(dsl.fetchCount(DISPATCH_OUTBOX)).isZero();
        assertThat(new OutboxAudit().disagreements(dsl, 10)).isEmpty();
    }

    @Test
    void aReportThatIsMadeAgainWhileTheFirstIsStillAtWorkWaitsForItAndIsTold() throws IOException {
        Function<DSLContext, Object> complete = Operation.COMPLETE.prepare(dsl);
        try (Gate gate = Gate.afterChanges(db);
                Relay relay = Relay.before(db.dataSource())) {
            Session cutOff = gate.holds(db.openBy(relay.dataSource()));
            var first = cutOff.start(complete).awaitWaiting();
            relay.nextPassage().cut();
            assertThatThrownBy(first::get).isInstanceOf(ConnectionLostException.class);

            var again = db.open().start(complete).awaitWaiting();
            gate.open();

            assertAnswer(Operation.COMPLETE, again.get());
        }
        assertThat(dsl.fetchCount(DISPATCH_OUTBOX)).as("of two events").isOne();
    }
}
