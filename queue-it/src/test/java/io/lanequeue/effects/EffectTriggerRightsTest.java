package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.jooq.Routines;
import io.lanequeue.testing.Traps;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;

/** With whose operators the functions of the effect queue run. */
class EffectTriggerRightsTest extends EffectFixture {

    /** Were an operator found through the caller's search_path, it would run with the rights of the tables' owner. */
    @Test
    void theFunctionsUseNoOperatorOfTheCaller() {
        EffectId scheduled = producer.enqueue(dsl, NewEffect.of("later", "{}").withDelay(Duration.ofHours(1)))
                .id();
        EffectClaim claim = enqueuedAndClaimed("claimed");
        try (Traps traps = Traps.setBy(dsl)) {
            DSLContext caller = db.open().dsl();
            traps.setFor(caller);

            EffectId effect = EffectsByHand.insertBySql(caller, "repo", EffectState.ENQUEUED);
            assertThat(head("repo").orElseThrow().getHeadId()).isEqualTo(effect);

            Routines.effectQueuePutBack(
                    caller.configuration(),
                    new Long[] {claim.effect().value()},
                    new Long[] {claim.id().value()},
                    new OffsetDateTime[1],
                    new String[1],
                    new Integer[] {0},
                    null);
            assertThat(stateOf(claim.effect())).isEqualTo(EffectState.ENQUEUED);
            assertThat(head("claimed").orElseThrow().getInFlight()).isZero();

            assertThat(Routines.effectQueuePromoteDue(
                            caller.configuration(), Instant.now().plus(1, ChronoUnit.DAYS), 10))
                    .isOne();
            assertThat(stateOf(scheduled)).isEqualTo(EffectState.ENQUEUED);

            caller.deleteFrom(EFFECT_QUEUE).execute();
            assertThat(head("repo")).isEmpty();

            assertThat(Routines.effectQueueSettleHeads(caller.configuration(), new String[] {"gone"}))
                    .isZero();
            assertThat(new EffectAudit().repair(caller)).isEqualTo(new RepoRepair(0, 0));
            caller.truncate(EFFECT_QUEUE).execute();
        }
    }

    private EffectClaim enqueuedAndClaimed(String repo) {
        enqueue(dsl, repo);
        return dispatchOne(dsl).claim();
    }
}
