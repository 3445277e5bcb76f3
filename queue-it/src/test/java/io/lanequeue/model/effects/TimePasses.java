package io.lanequeue.model.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.jooq.impl.DSL.select;

import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.schema.jooq.tables.EffectQueue;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;

/** A scheduled effect is due, or a claim is stale, unless somebody holds the effect right now. */
record TimePasses(int position) implements Operation<EffectsModel> {

    private static final EffectQueue E = EFFECT_QUEUE;
    private static final EffectQueue FREE = E.as("free");

    @Override
    public Optional<Call<EffectsModel, Integer>> on(View<EffectsModel> view) {
        if (!view.isAutocommit()) {
            return Optional.empty();
        }
        return view
                .model()
                .pick(
                        position,
                        1,
                        effect -> effect.phase() == Effect.Phase.LATER || effect.phase() == Effect.Phase.CLAIMED)
                .stream()
                .findFirst()
                .map(effect -> Call.<EffectsModel, Integer>of(
                                dsl -> send(dsl, effect), (count, now) -> explain(effect, count))
                        .waitingOnlyFor(Set.of(Row.QUEUE)));
    }

    private static int send(DSLContext dsl, Effect effect) {
        return dsl.update(E)
                .set(effect.isClaimed() ? E.CLAIMED_AT : E.SCHEDULED_AT, Instant.EPOCH)
                .where(E.ID.in(select(FREE.ID)
                        .from(FREE)
                        .where(FREE.ID.eq(effect.id()))
                        .forUpdate()
                        .skipLocked()))
                .execute();
    }

    private static Change<EffectsModel> explain(Effect named, int count) {
        return count == 0
                ? Change.none()
                : new Change<>(
                        Set.of(),
                        model -> model.effect(named.id()).ifPresent(effect -> {
                            if (named.isClaimed() && effect.isClaimed()) {
                                model.put(effect.in(Effect.Phase.STALE));
                            } else if (!named.isClaimed() && effect.phase() == Effect.Phase.LATER) {
                                model.put(effect.in(Effect.Phase.WAITING));
                            }
                        }));
    }
}
