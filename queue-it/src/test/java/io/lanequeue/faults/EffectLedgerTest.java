package io.lanequeue.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.Enqueued;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.faults.EffectLedger.Answer;
import io.lanequeue.schema.EffectId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Wiring;
import java.util.List;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The ledger finds each way in which a producer, a dispatcher or the schema may do it wrong. */
class EffectLedgerTest {

    private static final NewEffect EFFECT = NewEffect.of("repo", "{}");
    private static final NewEffect LOST = NewEffect.of("repo", "lost");

    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);
    private final DSLContext dsl = db.open().dsl();
    private final EffectLedger ledger = new EffectLedger();
    private final EffectProducer producer = new EffectProducer();
    private final EffectConsumer consumer = new EffectConsumer();

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @Test
    void hasNothingAgainstEffectsThatAreDoneOrSuperseded() {
        enqueue(dsl, EFFECT.withDedupeKey("key"));
        List<ClaimedEffect> claimed = dispatch();
        enqueue(dsl, EFFECT.withDedupeKey("key"));
        consumer.release(dsl, claimed.stream().map(ClaimedEffect::claim).toList());
        run();

        assertThat(ledger.violations(dsl)).isEmpty();
        assertThat(ledger).hasToString("2 effects enqueued, 0 transactions in doubt, 1 runs");
    }

    @Test
    void findsAnEffectThatItsProducerPromisedBeforeTheCommit() {
        Session producing = db.begin(Isolation.READ_COMMITTED);
        EffectId effect = enqueue(producing.dsl(), EFFECT);
        producing.rollback();

        assertThat(ledger.violations(dsl)).containsExactly("lost: " + effect);
    }

    @Test
    void findsAnEffectThatItsDispatcherCompletedBeforeItRan() {
        EffectId effect = enqueue(dsl, EFFECT);
        complete(dispatch());

        assertThat(ledger.violations(dsl)).containsExactly("done by nobody: " + effect);
    }

    @Test
    void findsAnEffectThatNoTriggerSaw() {
        dsl.execute("set session_replication_role = replica");
        EffectId effect = enqueue(dsl, EFFECT);
        run();

        assertThat(ledger.violations(dsl)).containsExactly("stranded: " + effect);
    }

    @Test
    void findsARunOfWhatNobodyEnqueued() {
        ledger.handled(new EffectId(7));

        assertThat(ledger.violations(dsl)).containsExactly("never enqueued: 7");
    }

    @Test
    void findsHalfOfATransactionThatWasInDoubt() {
        Enqueued first = producer.enqueue(dsl, EFFECT);
        ledger.inDoubt(List.of(new Answer(EFFECT, first), added(first.id().value() + 1)));
        run();

        assertThat(ledger.violations(dsl)).singleElement().asString().startsWith("half of a transaction: ");
    }

    @Test
    void hasNothingAgainstATransactionInDoubtOneOfWhoseIdsWasGivenAgain() {
        EffectId again = enqueue(dsl, EFFECT.withDedupeKey("after the restart"));
        ledger.inDoubt(List.of(added(again.value()), added(again.value() + 1)));
        run();

        assertThat(ledger.violations(dsl)).isEmpty();
    }

    private static Answer added(long id) {
        return new Answer(LOST, new Enqueued(new EffectId(id), Enqueued.Status.ADDED));
    }

    private EffectId enqueue(DSLContext context, NewEffect effect) {
        Enqueued enqueued = producer.enqueue(context, effect);
        ledger.acknowledged(List.of(new Answer(effect, enqueued)));
        return enqueued.id();
    }

    private List<ClaimedEffect> dispatch() {
        return consumer.dispatch(dsl, DispatchRequest.by("dispatcher"));
    }

    private void run() {
        List<ClaimedEffect> claimed = dispatch();
        claimed.forEach(effect -> ledger.handled(effect.claim().effect()));
        complete(claimed);
    }

    private void complete(List<ClaimedEffect> claimed) {
        consumer.complete(dsl, claimed.stream().map(ClaimedEffect::claim).toList());
    }
}
