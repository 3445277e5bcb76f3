package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DueWaitTest extends EffectFixture {

    private static final int MOST_PROMOTED_AT_ONCE = 1_000;

    @Test
    void aDispatchDoesNotWaitForAHeadThatAnOpenClaimHoldsThoughAnEffectOfItIsDue() {
        enqueue(dsl, "held");
        Session claiming = db.begin(Isolation.READ_COMMITTED);
        dispatch(claiming.dsl(), 1);
        producer.enqueue(dsl, NewEffect.of("held", "due").withDelay(Duration.ZERO));
        EffectId other = enqueue(dsl, "other");

        assertThat(ids(dispatch(dsl, 10))).containsExactly(other);
    }

    @Test
    void aClaimOfARepositoryDoesNotWaitForAnotherWithAnOpenCompletionThoughAnEffectOfItIsDue() {
        enqueue(dsl, "held");
        List<EffectClaim> claims = claims(dispatch(dsl, 1));
        Session completing = db.begin(Isolation.READ_COMMITTED);
        consumer.complete(completing.dsl(), claims);
        producer.enqueue(dsl, NewEffect.of("held", "due").withDelay(Duration.ZERO));
        EffectId other = enqueue(dsl, "other");

        assertThat(ids(consumer.claim(dsl, new RepoClaimRequest(repo("other"), "me", 10))))
                .containsExactly(other);
    }

    @Test
    void whatIsDueOfARepositoryInSomebodysHandsHoldsUpNoOtherHoweverMuchItIs() {
        Session producing = db.begin(Isolation.READ_COMMITTED);
        enqueue(producing.dsl(), "held");
        NewEffect due = NewEffect.of("held", "due").withDelay(Duration.ZERO);
        producer.enqueueAll(dsl, Collections.nCopies(MOST_PROMOTED_AT_ONCE, due));
        EffectId other = producer.enqueue(dsl, NewEffect.of("other", "due").withDelay(Duration.ZERO))
                .id();

        assertThat(ids(dispatch(dsl, 10))).containsExactly(other);
    }

    @Test
    void aDispatchDoesNotWaitForAnOpenEnqueueThatAddedAHeadThoughAnEffectOfItIsDue() {
        Session producing = db.begin(Isolation.READ_COMMITTED);
        enqueue(producing.dsl(), "held");
        producer.enqueue(dsl, NewEffect.of("held", "due").withDelay(Duration.ZERO));
        EffectId other = enqueue(dsl, "other");

        assertThat(ids(dispatch(dsl, 10))).containsExactly(other);
    }

    /** Else it would find the one that is free, each time. Taken out: the end after a few waits. */
    @Test
    void aDispatchGivesUpAfterAFewWaitsHoweverManyHeadsAnOpenEnqueueAdded() {
        int held = 200;
        Session producing = db.begin(Isolation.READ_COMMITTED);
        producer.enqueueAll(producing.dsl(), inEach(held, NewEffect.of("any", "x")));
        producer.enqueueAll(dsl, inEach(held + 1, NewEffect.of("any", "due").withDelay(Duration.ZERO)));

        List<List<ClaimedEffect>> claims = new ArrayList<>();
        for (int tries = 0; tries < 4; tries++) {
            Session dispatching = db.begin(Isolation.READ_COMMITTED);
            claims.add(dispatch(dispatching.dsl(), 1));
            dispatching.rollback();
        }

        assertThat(claims).anySatisfy(claim -> assertThat(claim).isEmpty());
        producing.commit();
        assertThat(dispatch(dsl, 1_000)).hasSize(2 * held + 1);
    }

    /** In another order each time, or the same ones would be given up for as long as the producer takes. */
    @Test
    void whatIsDueElsewhereIsClaimedInTheEndThoughEveryDispatchGivesUp() {
        Session producing = db.begin(Isolation.READ_COMMITTED);
        producer.enqueueAll(producing.dsl(), inEach(9, NewEffect.of("any", "x")));
        producer.enqueueAll(dsl, inEach(10, NewEffect.of("any", "due").withDelay(Duration.ZERO)));

        List<ClaimedEffect> claimed = List.of();
        for (int tries = 0; tries < 200 && claimed.isEmpty(); tries++) {
            claimed = dispatch(dsl, 10);
        }

        assertThat(claimed).extracting(ClaimedEffect::repoId).containsExactly(repo("repo 9"));
    }

    /**
     * A repair inserts heads, and waits for who has inserted one. Taken out: the lock of the table before any head's.
     */
    @Test
    void aClaimThatWaitsForARepairHoldsNoHeadThatTheRepairWants() {
        EffectsByHand.insertBySql(EffectsByHand.roundTheTriggers(db.open()).dsl(), "repo", EffectState.ENQUEUED);
        producer.enqueue(dsl, NewEffect.of("repo", "due").withDelay(Duration.ZERO));
        Session repairing = db.begin(Isolation.READ_COMMITTED);
        repairing.dsl().execute("lock table {0} in share row exclusive mode", EFFECT_QUEUE);
        Session claiming = db.begin(Isolation.READ_COMMITTED);
        var waiting = claiming.start(context -> dispatch(context, 10)).awaitWaiting();

        assertThat(new EffectAudit().repair(repairing.dsl())).isEqualTo(new RepoRepair(1, 0));

        repairing.commit();
        waiting.get();
        claiming.commit();
        assertThat(dispatch(dsl, 10)).isNotEmpty();
    }

    private static List<NewEffect> inEach(int repos, NewEffect effect) {
        return IntStream.range(0, repos)
                .mapToObj(i -> new NewEffect(repo("repo " + i), effect.payload(), effect.delay(), effect.dedupeKey()))
                .toList();
    }
}
