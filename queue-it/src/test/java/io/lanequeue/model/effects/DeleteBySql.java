package io.lanequeue.model.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static java.util.stream.Collectors.toSet;

import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.schema.EffectId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Deletes effects by plain SQL, so many from a position on. */
record DeleteBySql(int position, int count) implements Operation<EffectsModel> {

    @Override
    public Optional<Call<EffectsModel, Set<EffectId>>> on(View<EffectsModel> view) {
        List<Effect> named = view.model().pick(position, count, effect -> true);
        return named.isEmpty()
                ? Optional.empty()
                : Optional.of(Call.of(
                        dsl -> dsl.deleteFrom(EFFECT_QUEUE)
                                .where(EFFECT_QUEUE.ID.in(
                                        named.stream().map(Effect::id).toList()))
                                .returningResult(EFFECT_QUEUE.ID)
                                .fetchSet(EFFECT_QUEUE.ID),
                        (deleted, now) -> explain(named, deleted, now)));
    }

    private static Change<EffectsModel> explain(List<Effect> named, Set<EffectId> deleted, View<EffectsModel> now) {
        List<Effect> expected = named.stream()
                .flatMap(effect -> now.model().effect(effect.id()).stream())
                .toList();
        Violation.unless(
                deleted.equals(expected.stream().map(Effect::id).collect(toSet())),
                "deleted are %s, not %s",
                deleted,
                expected);
        return EffectChange.removal(expected, now);
    }
}
