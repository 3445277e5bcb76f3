package io.lanequeue.effects;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EffectId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import org.junit.jupiter.api.Test;

/** An open enqueue blocks no claim of other effects, says EffectProducer. */
class HeldOldestTest extends EffectFixture {

    private static final NewEffect KEYED = NewEffect.of("repo", "x").withDedupeKey("k");

    @Test
    void aDispatchOfOnePassesTheEffectThatAnOpenEnqueueOfItsKeyHolds() {
        producer.enqueue(dsl, KEYED);
        EffectId other = enqueue(dsl, "other");
        Session producing = db.begin(Isolation.READ_COMMITTED);
        producer.enqueue(producing.dsl(), KEYED);

        assertThat(ids(dispatch(dsl, 1))).containsExactly(other);
    }

    @Test
    void aCappedDispatchPassesTheEffectThatAnOpenEnqueueOfItsKeyHolds() {
        producer.enqueue(dsl, KEYED);
        EffectId next = enqueue(dsl, "repo");
        Session producing = db.begin(Isolation.READ_COMMITTED);
        producer.enqueue(producing.dsl(), KEYED);

        assertThat(ids(dispatch(dsl, 10, 1))).containsExactly(next);
    }
}
