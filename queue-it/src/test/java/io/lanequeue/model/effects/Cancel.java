package io.lanequeue.model.effects;

import io.lanequeue.effects.EffectOperator;
import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.schema.EffectId;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Cancels effects: those from a position on that wait. */
record Cancel(int position, int count) implements Operation<EffectsModel> {

    private static final EffectOperator OPERATOR = new EffectOperator();

    @Override
    public Optional<Call<EffectsModel, List<EffectId>>> on(View<EffectsModel> view) {
        List<Effect> named = view.model().pick(position, count, Effect::isWaiting);
        if (named.isEmpty()) {
            return Optional.empty();
        }
        Set<Row> waitsFor = new HashSet<>(EffectChange.headsAndKeys(view.model()));
        waitsFor.add(Row.QUEUE);
        return Optional.of(Call.<EffectsModel, List<EffectId>>of(
                        dsl -> OPERATOR.cancel(
                                dsl, named.stream().map(Effect::id).toList(), "model"),
                        (cancelled, now) -> explain(named, cancelled, now))
                .waitingOnlyFor(waitsFor));
    }

    private static Change<EffectsModel> explain(List<Effect> named, List<EffectId> cancelled, View<EffectsModel> now) {
        List<Effect> taken = named.stream()
                .flatMap(effect -> now.model().effect(effect.id()).stream())
                .filter(effect -> effect.isWaiting() && cancelled.contains(effect.id()))
                .toList();
        Violation.unless(
                taken.stream().map(Effect::id).toList().equals(cancelled), "cancelled are %s of %s", cancelled, named);
        for (Effect effect : named) {
            Violation.unless(
                    taken.contains(effect) || !now.isFree(Row.effect(effect.id())), "%s is not cancelled", effect);
        }
        return EffectChange.of(
                taken.stream().map(effect -> effect.in(Effect.Phase.FAILED)).toList(), now);
    }
}
