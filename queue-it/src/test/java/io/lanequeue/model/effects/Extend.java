package io.lanequeue.model.effects;

import io.lanequeue.effects.EffectClaim;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.model.effects.EffectsModel.Which;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Extends a claim that is held, or that was. */
record Extend(int position, Which which) implements Operation<EffectsModel> {

    private static final EffectConsumer CONSUMER = new EffectConsumer();

    @Override
    public Optional<Call<EffectsModel, Map<EffectClaim, Instant>>> on(View<EffectsModel> view) {
        return view.model().claims(position, 1, which).stream()
                .findFirst()
                .map(claim -> Call.<EffectsModel, Map<EffectClaim, Instant>>of(
                                dsl -> CONSUMER.extend(dsl, List.of(claim)),
                                (extended, now) -> explain(claim, extended.keySet(), now))
                        .waitingOnlyFor(Set.of(Row.effect(claim.effect()), Row.QUEUE)));
    }

    private static Change<EffectsModel> explain(EffectClaim claim, Set<EffectClaim> extended, View<EffectsModel> now) {
        Optional<Effect> held = now.model().effect(claim.effect()).filter(effect -> effect.isClaimedUnder(claim));
        Violation.unless(
                extended.equals(held.isPresent() ? Set.of(claim) : Set.of()),
                "E5: %s is extended: %s",
                now.model().effect(claim.effect()),
                extended);
        if (held.isEmpty() && now.isSure()) {
            return Change.none();
        }
        // A lost one is locked too, where the call has waited for it.
        return EffectChange.lock(List.of(claim.effect()), now)
                .and(new Change<>(Set.of(), model -> held.ifPresent(effect -> model.put(effect.claimed(claim.id())))));
    }
}
