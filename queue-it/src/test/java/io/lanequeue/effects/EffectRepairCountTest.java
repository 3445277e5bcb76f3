package io.lanequeue.effects;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EffectId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.util.List;
import org.junit.jupiter.api.Test;

class EffectRepairCountTest extends EffectFixture {

    @Test
    void countsARepositoryWhoseHeadMovedAndAnotherWhoseHeadWentAsTwo() {
        List<EffectId> effects = enqueueMany("moved", 2);
        EffectClaim claim;
        enqueue(dsl, "went");
        claim = consumer.claim(dsl, new RepoClaimRequest(repo("went"), "me", 1))
                .get(0)
                .claim();
        Session producing = db.begin(Isolation.READ_COMMITTED);
        enqueue(producing.dsl(), "went");
        consumer.complete(dsl, List.of(claim));
        producing.rollback();
        assertThat(head("went")).as("the open enqueue pinned it").isPresent();
        EffectsByHand.deleteBySql(EffectsByHand.roundTheTriggers(db.open()).dsl(), effects.get(0));

        assertThat(new EffectAudit().repair(dsl)).isEqualTo(new RepoRepair(2, 0));
    }
}
