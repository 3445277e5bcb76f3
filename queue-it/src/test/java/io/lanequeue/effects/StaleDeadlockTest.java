package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EffectId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StaleDeadlockTest extends EffectFixture {

    // One call per transaction does not deadlock, says EffectConsumer.complete.
    @Test
    void aRequeueThatAlsoFailsEffectsAndACompletionOfTheSameRepositoriesDoNotDeadlock() {
        EffectId worn = enqueue(dsl, "a");
        consumer.retry(dsl, List.of(new EffectRetry(dispatchOne(dsl).claim(), Duration.ZERO, "error")));
        EffectId fresh = enqueue(dsl, "c");
        assertThat(ids(dispatch(dsl, 2))).containsExactly(worn, fresh);
        var later = EffectsByHand.clock(dsl).plus(Duration.ofHours(1));
        List<EffectClaim> running = new ArrayList<>();
        for (String repo : List.of("a", "b", "c")) {
            enqueue(dsl, repo);
            running.addAll(claims(EffectConsumer.at(later).claim(dsl, new RepoClaimRequest(repo(repo), "me", 1))));
        }
        Session holding = db.begin(Isolation.READ_COMMITTED);
        holding.dsl()
                .selectFrom(EFFECT_QUEUE_REPO_HEADS)
                .where(EFFECT_QUEUE_REPO_HEADS.REPO_ID.eq(repo("b")))
                .forNoKeyUpdate()
                .fetch();

        var completing =
                db.open().start(context -> consumer.complete(context, running)).awaitWaiting();
        var requeuing = db.open()
                .start(context -> EffectUpkeep.at(later).requeueStale(context, Duration.ofMinutes(5), 2, 10))
                .awaitWaiting();
        holding.rollback();

        assertThat(completing.get()).extracting(EffectReport::status).containsOnly(EffectReport.Status.APPLIED);
        assertThat(requeuing.get()).isEqualTo(new StaleReport(List.of(fresh), List.of(), List.of(worn)));
    }
}
