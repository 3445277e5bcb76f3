package io.lanequeue.model.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.jooq.impl.DSL.currentOffsetDateTime;

import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.schema.EffectState;
import java.util.Optional;

/** Changes the state of an effect by plain SQL, as a program does that knows nothing of claims. */
record UpdateBySql(int position, EffectState state) implements Operation<EffectsModel> {

    @Override
    public Optional<Call<EffectsModel, Integer>> on(View<EffectsModel> view) {
        // One that comes back with a key may meet another of it, which plain SQL has to see to.
        return view.model().pick(position, 1, effect -> state != EffectState.ENQUEUED || effect.key() == null).stream()
                .findFirst()
                .map(effect -> Call.of(
                        dsl -> dsl.update(EFFECT_QUEUE)
                                .set(EFFECT_QUEUE.STATE, state)
                                .setNull(EFFECT_QUEUE.CLAIM_ID)
                                .set(EFFECT_QUEUE.ATTEMPTS, 1)
                                .set(
                                        EFFECT_QUEUE.CLAIMED_AT,
                                        currentOffsetDateTime().coerce(EFFECT_QUEUE.CLAIMED_AT))
                                .set(
                                        EFFECT_QUEUE.DONE_AT,
                                        currentOffsetDateTime().coerce(EFFECT_QUEUE.DONE_AT))
                                .set(
                                        EFFECT_QUEUE.FAILED_AT,
                                        currentOffsetDateTime().coerce(EFFECT_QUEUE.FAILED_AT))
                                .where(EFFECT_QUEUE.ID.eq(effect.id()))
                                .execute(),
                        (count, now) -> explain(effect, count, now)));
    }

    private Change<EffectsModel> explain(Effect effect, int count, View<EffectsModel> now) {
        Optional<Effect> updated = now.model().effect(effect.id());
        Violation.unless(count == (updated.isPresent() ? 1 : 0), "updated are %s of %s", count, updated);
        return EffectChange.of(updated.map(this::changed).stream().toList(), now);
    }

    private Effect changed(Effect effect) {
        return switch (state) {
            case ENQUEUED -> effect.in(Effect.Phase.WAITING);
            case CLAIMED -> effect.claimed(null);
            case DONE -> effect.in(Effect.Phase.DONE);
            case FAILED -> effect.in(Effect.Phase.FAILED);
            case SCHEDULED -> throw new IllegalArgumentException("scheduled");
        };
    }
}
