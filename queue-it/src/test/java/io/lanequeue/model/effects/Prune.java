package io.lanequeue.model.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;

import io.lanequeue.effects.EffectUpkeep;
import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.schema.EffectId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;

/** Prunes all effects that are done, or all that failed. */
record Prune(Effect.Phase phase) implements Operation<EffectsModel> {

    /** How many were pruned, and what is left. */
    record Result(int pruned, Set<EffectId> left) {}

    private static final EffectUpkeep UPKEEP = new EffectUpkeep();

    @Override
    public Optional<Call<EffectsModel, Result>> on(View<EffectsModel> view) {
        // Not while somebody waits, who might change something before the second look.
        return view.isFree(Row.QUEUE)
                ? Optional.of(
                        Call.<EffectsModel, Result>of(this::send, this::explain).waitingOnlyFor(Set.of()))
                : Optional.empty();
    }

    private Result send(DSLContext dsl) {
        int pruned = phase == Effect.Phase.DONE
                ? UPKEEP.pruneDone(dsl, Duration.ZERO, EffectUpkeep.MAX_BATCH)
                : UPKEEP.pruneFailed(dsl, Duration.ZERO, EffectUpkeep.MAX_BATCH);
        return new Result(pruned, dsl.select(EFFECT_QUEUE.ID).from(EFFECT_QUEUE).fetchSet(EFFECT_QUEUE.ID));
    }

    private Change<EffectsModel> explain(Result result, View<EffectsModel> now) {
        List<Effect> ended = now.model().effects(effect -> effect.phase() == phase);
        List<Effect> pruned = ended.stream()
                .filter(effect -> !result.left().contains(effect.id()))
                .toList();
        Violation.unless(result.pruned() == pruned.size(), "pruned are %s, not %s", result.pruned(), pruned);
        ended.forEach(effect -> Violation.unless(
                pruned.contains(effect) || !now.isFree(Row.effect(effect.id())), "%s is not pruned", effect));
        return EffectChange.removal(pruned, now);
    }
}
