package io.lanequeue.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import io.lanequeue.worker.Witness.Happening;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A worker with an effect whose retry waits for an open enqueue of its dedupe key, beside others. */
class EffectHeldUpTest extends EffectWorkerFixture {

    private static final Duration THIRD = STALE.dividedBy(3);
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final NewEffect KEYED = NewEffect.of("held up", "x").withDedupeKey("k");

    private final Latch begun = new Latch(2);
    private final Latch door = new Latch();
    private final Latch otherDoor = new Latch();

    @Test
    void aFailureThatIsHeldUpHoldsUpNoOtherEffect() {
        EffectId heldUp = startTwoAtWork();
        Session producer = enqueueTheSameKey();
        door.open();
        timing.awaitWaiting();

        otherDoor.open();
        witness.await(Happening.DELIVERED, 1);
        enqueue("third");
        timing.pass(POLL_INTERVAL);
        witness.await(Happening.DELIVERED, 2);

        assertThat(effect(heldUp).getState()).isEqualTo(EffectState.CLAIMED);
        assertThat(witness.count(Happening.FAILED)).isZero();
        assertThat(witness.count(Happening.WENT_AWAY)).isZero();
        end(producer);
    }

    @Test
    void aFailureThatIsHeldUpIsRecordedWhenTheProducerHasEnded() {
        EffectId heldUp = startTwoAtWork();
        Session producer = enqueueTheSameKey();
        door.open();
        otherDoor.open();
        witness.await(Happening.DELIVERED, 1);
        timing.awaitWaiting();
        producer.rollback();
        assertThat(effect(heldUp).getState()).isEqualTo(EffectState.CLAIMED);

        timing.pass(PAUSE);
        witness.await(Happening.FAILED, 1);

        assertThat(witness.count(Happening.LOST)).isZero();
        assertThat(witness.count(Happening.WENT_AWAY)).isZero();
    }

    @Test
    void theClaimIsExtendedAsLongAsItsFailureIsHeldUp() {
        EffectId heldUp = startTwoAtWork();
        Session producer = enqueueTheSameKey();
        door.open();
        otherDoor.open();
        witness.await(Happening.DELIVERED, 1);
        timing.awaitWaiting();
        Instant before = effect(heldUp).getClaimedAt();

        timing.pass(THIRD);

        assertThat(effect(heldUp).getClaimedAt()).isAfter(before);
        end(producer);
    }

    @Test
    void aClaimThatIsLostThoughItsFailureIsHeldUpIsReportedNoMore() {
        startTwoAtWork();
        Session producer = enqueueTheSameKey();
        door.open();
        otherDoor.open();
        witness.await(Happening.DELIVERED, 1);
        timing.awaitWaiting();
        producer.commit();
        takeBack();

        timing.pass(THIRD);

        assertThat(witness.count(Happening.LOST)).isEqualTo(1);
        assertThat(witness.count(Happening.FAILED)).isZero();
        assertThat(witness.count(Happening.WENT_AWAY)).isZero();
    }

    /** Two effects, whose handlers wait at their doors. */
    private EffectId startTwoAtWork() {
        EffectId keyed = new EffectProducer().enqueue(dsl, KEYED).id();
        enqueue("other");
        start((effect, attempt) -> {
            begun.open();
            if (effect.claim().effect().equals(keyed)) {
                door.pass();
                throw new IllegalStateException("by the test");
            } else if (effect.repoId().equals(repo("other"))) {
                otherDoor.pass();
            }
        });
        begun.passWhateverComes();
        timing.awaitWaiting();
        return keyed;
    }

    /** A producer that has not committed yet. */
    private Session enqueueTheSameKey() {
        Session producer = db.begin(Isolation.READ_COMMITTED);
        new EffectProducer().enqueue(producer.dsl(), KEYED);
        return producer;
    }

    /** And lets the worker notice, which else would wait for it when it is closed. */
    private void end(Session producer) {
        producer.rollback();
        timing.pass(PAUSE);
    }
}
