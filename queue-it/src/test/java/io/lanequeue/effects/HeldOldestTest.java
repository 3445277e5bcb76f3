package io.lanequeue.effects;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EffectId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.util.List;
import java.util.stream.IntStream;
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

    /** More than a claim looks at: PastHeldStatement. */
    @Test
    void aDispatchPassesAnyNumberOfEffectsThatAnOpenEnqueueHolds() {
        hold("repo", 20);
        EffectId next = enqueue(dsl, "repo");
        EffectId other = enqueue(dsl, "other");

        assertThat(ids(dispatch(dsl, 1))).containsExactly(next);
        assertThat(ids(dispatch(dsl, 1))).containsExactly(other);
        assertThat(dispatch(dsl, 1)).isEmpty();
    }

    @Test
    void aClaimOfARepositoryPassesAnyNumberOfThem() {
        hold("repo", 40);
        List<EffectId> free = enqueueMany("repo", 3);

        assertThat(ids(consumer.claim(dsl, new RepoClaimRequest(repo("repo"), "worker", 2))))
                .containsExactlyElementsOf(free.subList(0, 2));
    }

    @Test
    void aCappedDispatchPassesRepositoriesOfWhichAnOpenEnqueueHoldsEverything() {
        enqueueMany("at its cap", 2);
        dispatch(dsl, 1);
        IntStream.range(0, 20).forEach(i -> hold("held " + i, 1));
        EffectId one = enqueueMany("free", 2).get(0);
        EffectId two = enqueueMany("free too", 2).get(0);

        assertThat(ids(dispatch(dsl, 2, 1))).containsExactly(one, two);
        assertThat(dispatch(dsl, 2, 1)).isEmpty();
    }

    @Test
    void twoDispatchesPastWhatOthersHoldNeverTakeTheSame() {
        hold("repo", 20);
        EffectId one = enqueue(dsl, "one");
        EffectId two = enqueue(dsl, "two");
        Session first = db.begin(Isolation.READ_COMMITTED);
        Session second = db.begin(Isolation.READ_COMMITTED);

        assertThat(ids(dispatch(first.dsl(), 1))).containsExactly(one);
        assertThat(dispatch(second.dsl(), 1))
                .as("the first one holds the heads that it looked at")
                .isEmpty();
        first.commit();
        assertThat(ids(dispatch(second.dsl(), 1))).containsExactly(two);
        second.commit();
    }

    /** Not the heads behind. Taken out: the order of an index. */
    @Test
    void readsNoFurtherThanWhatOthersHoldAndWhatItTakes() {
        hold("repo", 20);
        producer.enqueueAll(
                dsl,
                IntStream.range(0, 2_000)
                        .mapToObj(i -> NewEffect.of("repo " + i, "x"))
                        .toList());
        Session dispatcher = db.begin(Isolation.READ_COMMITTED);
        long before = entriesRead(dispatcher);

        assertThat(dispatch(dispatcher.dsl(), 1)).hasSize(1);

        assertThat(entriesRead(dispatcher) - before).isLessThan(1_000);
    }

    @Test
    void findsNothingWhereAnOpenEnqueueHoldsEverything() {
        Session producing = hold("repo", 20);

        assertThat(dispatch(dsl, 1)).isEmpty();
        producing.commit();
        assertThat(dispatch(dsl, 100)).hasSize(20);
    }

    /** Enqueues so many keys, and anew in a transaction that stays open. */
    private Session hold(String repo, int count) {
        List<NewEffect> keyed = IntStream.range(0, count)
                .mapToObj(i -> NewEffect.of(repo, "x").withDedupeKey("k" + i))
                .toList();
        producer.enqueueAll(dsl, keyed);
        Session producing = db.begin(Isolation.READ_COMMITTED);
        producer.enqueueAll(producing.dsl(), keyed);
        return producing;
    }
}
