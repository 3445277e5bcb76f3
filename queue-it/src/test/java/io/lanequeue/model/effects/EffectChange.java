package io.lanequeue.model.effects;

import io.lanequeue.model.Change;
import io.lanequeue.model.View;
import io.lanequeue.schema.EffectId;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** What follows from effects that change their state or go. */
final class EffectChange {

    private EffectChange() {}

    /** These effects stand so from now on. */
    static Change<EffectsModel> of(Collection<Effect> changed, View<EffectsModel> now) {
        EffectsModel after = now.latest().copy();
        changed.forEach(after::put);
        return new Change<>(held(changed, after, now), model -> changed.forEach(model::put));
    }

    /** These effects are gone from now on. */
    static Change<EffectsModel> removal(Collection<Effect> removed, View<EffectsModel> now) {
        EffectsModel after = now.latest().copy();
        after.remove(removed);
        return new Change<>(held(removed, after, now), model -> model.remove(removed));
    }

    /**
     * These effects stay as they are, but were locked, as by a call that has waited for them in vain: so are their
     * keys.
     */
    static Change<EffectsModel> lock(Collection<EffectId> ids, View<EffectsModel> now) {
        Set<Row> held = new HashSet<>();
        for (EffectId id : ids) {
            held.add(Row.effect(id));
            now.latest().effect(id).flatMap(Effect::keyRow).ifPresent(held::add);
        }
        return Change.holding(held);
    }

    /** The effects, their keys, and the heads of their repositories; these may be added or removed. */
    private static Set<Row> held(Collection<Effect> effects, EffectsModel after, View<EffectsModel> now) {
        Set<Row> held = new HashSet<>();
        for (Effect effect : effects) {
            String repo = effect.repo();
            held.add(Row.effect(effect.id()));
            effect.keyRow().ifPresent(held::add);
            held.add(Row.head(repo));
            boolean staysForCertain = now.isSure()
                    && after.hasHead(repo)
                    && !now.mine().contains(Row.head(repo))
                    && (after.inFlight(repo) > 0
                            || !after.effects(other -> other.repo().equals(repo) && after.isEnqueued(other))
                                    .isEmpty());
            if (!staysForCertain) {
                held.add(Row.changingHead(repo));
            }
        }
        return held;
    }

    /** The heads of all repositories and the keys of all effects, for calls that do not say which they take. */
    static Set<Row> headsAndKeys(EffectsModel model) {
        Set<Row> rows = new HashSet<>();
        EffectsModel.REPOS.forEach(repo -> rows.add(Row.head(repo)));
        model.effects().forEach(effect -> effect.keyRow().ifPresent(rows::add));
        return rows;
    }
}
