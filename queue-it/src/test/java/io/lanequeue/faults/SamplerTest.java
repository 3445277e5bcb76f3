package io.lanequeue.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Wiring;
import java.util.Collections;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The sampler finds what may not be. */
class SamplerTest {

    private static final int CAP = 3;

    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);
    private final DSLContext dsl = db.open().dsl();
    private final Sampler sampler = new Sampler(CAP);

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @Test
    void hasNothingAgainstARepositoryAtItsCap() {
        claim(CAP);
        sampler.look(dsl);

        assertThat(sampler.violations()).isEmpty();
        assertThat(sampler).hasToString("1 samples");
    }

    @Test
    void findsACapThatIsPassed() {
        claim(CAP + 1);
        sampler.look(dsl);

        assertThat(sampler.violations())
                .containsExactly(
                        "repositories over their cap: repo has 4 claimed",
                        "repositories over their cap: repo counts 4 in flight");
    }

    @Test
    void findsAWrongNumberInFlight() {
        dsl.execute("set session_replication_role = replica");
        claim(CAP);
        sampler.look(dsl);

        assertThat(sampler.violations()).singleElement().asString().contains("WRONG_IN_FLIGHT");
    }

    @Test
    void findsALaneWithoutAHead() {
        dsl.execute("set session_replication_role = replica");
        new OutboxProducer().append(dsl, NewEvent.of(1, 1, "message", "{}"));
        sampler.look(dsl);

        assertThat(sampler.violations()).singleElement().asString().contains("LANE_WITHOUT_HEAD");
    }

    private void claim(int effects) {
        new EffectProducer().enqueueAll(db.open().dsl(), Collections.nCopies(effects, NewEffect.of("repo", "{}")));
        new EffectConsumer().dispatch(dsl, DispatchRequest.by("dispatcher"));
    }
}
