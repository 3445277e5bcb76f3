package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Claims of programs that know no fences, as those of a queue before migration 5. */
class StaleBySqlTest extends EffectFixture {

    private static final Duration AGE = Duration.ofMinutes(5);

    @Test
    void aClaimWithoutAFenceIsRequeuedWhenItIsStale() {
        EffectId bySql = claimedBySql();

        assertThat(later().requeueStale(dsl, AGE, 3, 10))
                .isEqualTo(new StaleReport(List.of(bySql), List.of(), List.of()));
        assertThat(stateOf(bySql)).isEqualTo(EffectState.ENQUEUED);
    }

    @Test
    void aClaimWithoutAFenceDoesNotKeepLaterOnesFromBeingRequeued() {
        claimedBySql();
        EffectId other = enqueue(dsl, "other");
        dispatchOne(dsl);

        later().requeueStale(dsl, AGE, 3, 1);
        later().requeueStale(dsl, AGE, 3, 1);

        assertThat(stateOf(other)).isEqualTo(EffectState.ENQUEUED);
    }

    private EffectId claimedBySql() {
        EffectId effect = enqueue(dsl, "repo");
        dsl.update(EFFECT_QUEUE)
                .set(EFFECT_QUEUE.STATE, EffectState.CLAIMED)
                .set(EFFECT_QUEUE.CLAIMED_AT, EffectsByHand.clock(dsl))
                .set(EFFECT_QUEUE.CLAIMED_BY, "old worker")
                .execute();
        return effect;
    }

    private EffectUpkeep later() {
        return EffectUpkeep.at(EffectsByHand.clock(dsl).plus(Duration.ofMinutes(10)));
    }
}
