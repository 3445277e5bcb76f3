package io.lanequeue.model.effects;

import io.lanequeue.model.Change;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.schema.EffectId;
import java.util.List;
import java.util.Set;

/** What becomes of effects that are to wait again. */
final class ComingBack {

    private ComingBack() {}

    /**
     * Those that were superseded are done, the others wait.
     *
     * @param superseded those that the call says were
     * @param phase what the others are in
     */
    static Change<EffectsModel> change(
            List<Effect> effects, Set<EffectId> superseded, Effect.Phase phase, View<EffectsModel> now) {
        Set<EffectId> expected = now.model().superseding(effects).keySet();
        // Where the call has waited, the newer one may have come or gone since it looked.
        boolean mayDiffer = !now.isSure()
                && effects.stream()
                        .filter(effect -> superseded.contains(effect.id()))
                        .allMatch(effect -> effect.key() != null);
        Violation.unless(superseded.equals(expected) || mayDiffer, "superseded are %s, not %s", superseded, expected);
        return EffectChange.of(
                effects.stream()
                        .map(effect -> effect.in(superseded.contains(effect.id()) ? Effect.Phase.DONE : phase))
                        .toList(),
                now);
    }
}
