package io.lanequeue.effects;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EffectId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
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
}
