package io.lanequeue.faults;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.faults.LaneLedger.Sent;
import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.schema.EventId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Wiring;
import java.util.List;
import java.util.Set;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The ledger finds each way in which a producer, a worker or the schema may do it wrong. */
class LaneLedgerTest {

    private static final NewEvent FIRST = NewEvent.of(1, 1, "message", "{}");
    private static final NewEvent SECOND = NewEvent.of(1, 2, "message", "{}");

    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);
    private final DSLContext dsl = db.open().dsl();
    private final LaneLedger ledger = new LaneLedger();
    private final OutboxProducer producer = new OutboxProducer();
    private final OutboxConsumer consumer = new OutboxConsumer();

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @Test
    void hasNothingAgainstALaneThatIsDelivered() {
        EventId first = append(dsl, FIRST);
        EventId second = append(dsl, SECOND);
        deliver();

        assertThat(violations()).isEmpty();
        assertThat(ledger).hasToString("2 events appended, 0 transactions in doubt, 2 deliveries in 1 lanes");
        assertThat(second).isGreaterThan(first);
    }

    @Test
    void findsAnEventThatItsProducerPromisedBeforeTheCommit() {
        Session producing = db.begin(Isolation.READ_COMMITTED);
        EventId event = append(producing.dsl(), FIRST);
        producing.rollback();
        deliver();

        assertThat(violations()).containsExactly("lost: " + event);
    }

    @Test
    void findsAnEventThatItsWorkerDeletedBeforeItHandedItOver() {
        EventId event = append(dsl, FIRST);
        consumer.complete(dsl, claim());

        assertThat(violations()).containsExactly("lost: " + event);
    }

    @Test
    void findsAnEventThatNoTriggerSaw() {
        dsl.execute("set session_replication_role = replica");
        EventId event = append(dsl, FIRST);
        deliver();

        assertThat(violations()).containsExactly("stranded: " + event);
    }

    @Test
    void findsALaneThatWasHandedOverOutOfOrder() {
        EventId first = append(dsl, FIRST);
        EventId second = append(dsl, SECOND);
        ledger.handled(Sent.of(second, SECOND));
        ledger.handled(Sent.of(first, FIRST));
        consumer.complete(dsl, claim());

        assertThat(violations()).containsExactly("out of order: lane 1=[" + second + ", " + first + "]");
    }

    @Test
    void findsADeliveryOfWhatNobodyAppended() {
        ledger.handled(Sent.of(new EventId(7), FIRST));

        assertThat(violations()).containsExactly("never appended: 7");
    }

    @Test
    void findsHalfOfATransactionThatWasInDoubt() {
        EventId first = producer.append(dsl, FIRST);
        ledger.inDoubt(Set.of(Sent.of(first, FIRST), Sent.of(new EventId(first.value() + 1), SECOND)));
        deliver();

        assertThat(violations()).singleElement().asString().startsWith("half of a transaction: ");
    }

    @Test
    void hasNothingAgainstATransactionInDoubtThatDidNotHappen() {
        ledger.inDoubt(Set.of(Sent.of(new EventId(7), FIRST), Sent.of(new EventId(8), SECOND)));

        assertThat(violations()).isEmpty();
    }

    @Test
    void hasNothingAgainstATransactionInDoubtOneOfWhoseIdsWasGivenAgain() {
        EventId again = append(dsl, SECOND);
        ledger.inDoubt(Set.of(Sent.of(again, FIRST), Sent.of(new EventId(again.value() + 1), FIRST)));
        deliver();

        assertThat(violations()).isEmpty();
    }

    private EventId append(DSLContext context, NewEvent event) {
        EventId id = producer.append(context, event);
        ledger.acknowledged(Set.of(Sent.of(id, event)));
        return id;
    }

    private Claim claim() {
        return consumer.claim(dsl, ClaimRequest.by("worker").withEventsPerLane(10));
    }

    private void deliver() {
        Claim claim = claim();
        claim.events().stream().map(Sent::of).forEach(ledger::handled);
        consumer.complete(dsl, claim);
    }

    private List<String> violations() {
        return ledger.violations(
                dsl.select(DISPATCH_OUTBOX.ID).from(DISPATCH_OUTBOX).fetch(DISPATCH_OUTBOX.ID));
    }
}
