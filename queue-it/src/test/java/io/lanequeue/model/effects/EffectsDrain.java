package io.lanequeue.model.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;

import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectAudit;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectUpkeep;
import io.lanequeue.model.Violation;
import io.lanequeue.schema.EffectId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jooq.DSLContext;

/** Handles what is left, when every transaction has ended, every delay is over and every claim is stale. */
final class EffectsDrain {

    private EffectsDrain() {}

    static void drain(EffectsModel committed, DSLContext dsl) {
        Instant later = Instant.now().plus(Duration.ofDays(2));
        List<Effect> claimed = committed.effects(Effect::isClaimed);
        Set<EffectId> expected = new TreeSet<>();
        committed
                .effects(effect -> effect.isClaimed() || effect.isWaiting())
                .forEach(effect -> expected.add(effect.id()));
        expected.removeAll(committed.superseding(claimed).keySet());

        EffectUpkeep.at(later).requeueStale(dsl, RequeueStale.AGE, Integer.MAX_VALUE, EffectUpkeep.MAX_BATCH);
        List<EffectId> handled = handleAll(EffectConsumer.at(later), dsl);
        Violation.unless(
                handled.stream().sorted().toList().equals(List.copyOf(expected)),
                "E2, E3: in the end %s are handled, not %s",
                handled,
                expected);
        Violation.unless(dsl.fetchCount(EFFECT_QUEUE_REPO_HEADS) == 0, "in the end heads are left");
        var disagreements = new EffectAudit().disagreements(dsl, 10);
        Violation.unless(disagreements.isEmpty(), "in the end there is %s", disagreements);
    }

    private static List<EffectId> handleAll(EffectConsumer consumer, DSLContext dsl) {
        List<EffectId> handled = new ArrayList<>();
        DispatchRequest request = DispatchRequest.by("drain").withLimit(3).withCap(2);
        List<ClaimedEffect> claimed = consumer.dispatch(dsl, request);
        while (!claimed.isEmpty()) {
            claimed.forEach(effect -> handled.add(effect.claim().effect()));
            consumer.complete(dsl, claimed.stream().map(ClaimedEffect::claim).toList());
            claimed = consumer.dispatch(dsl, request);
        }
        return handled;
    }
}
