package io.lanequeue.model.effects;

import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.Enqueued;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Enqueues effects in one statement. */
record Enqueue(List<Entry> entries) implements Operation<EffectsModel> {

    private static final EffectProducer PRODUCER = new EffectProducer();

    enum Due {
        NOW,
        /** Scheduled, with no delay. */
        AT_ONCE,
        LATER
    }

    /** A new effect. */
    record Entry(String repo, @Nullable String key, Due due) {

        NewEffect effect() {
            NewEffect effect = NewEffect.of(repo, "model");
            NewEffect keyed = key == null ? effect : effect.withDedupeKey(key);
            return switch (due) {
                case NOW -> keyed;
                case AT_ONCE -> keyed.withDelay(Duration.ZERO);
                case LATER -> keyed.withDelay(Duration.ofHours(1));
            };
        }

        Effect as(Enqueued enqueued) {
            Effect.Phase phase = due == Due.LATER ? Effect.Phase.LATER : Effect.Phase.WAITING;
            return new Effect(enqueued.id(), repo, key, phase, null);
        }

        @Override
        public String toString() {
            return repo + (key == null ? "" : "/" + key) + " " + due;
        }
    }

    @Override
    public Optional<Call<EffectsModel, List<Enqueued>>> on(View<EffectsModel> view) {
        Call<EffectsModel, List<Enqueued>> call = Call.of(
                dsl -> PRODUCER.enqueueAll(
                        dsl, entries.stream().map(Entry::effect).toList()),
                this::explain);
        if (!view.isReadCommitted()) {
            return Optional.of(call);
        }
        Set<Row> waitsFor = new HashSet<>(Set.of(Row.QUEUE));
        for (Entry entry : entries) {
            waitsFor.add(Row.changingHead(entry.repo()));
            if (entry.key() != null) {
                waitsFor.add(Row.key(entry.repo(), entry.key()));
            }
        }
        return Optional.of(call.waitingOnlyFor(waitsFor));
    }

    private Change<EffectsModel> explain(List<Enqueued> results, View<EffectsModel> now) {
        EffectsModel after = now.latest().copy();
        List<Effect> added = new ArrayList<>();
        Set<Row> held = new HashSet<>();
        for (int i = 0; i < entries.size(); i++) {
            Effect effect = entries.get(i).as(results.get(i));
            Enqueued expected = after.effects(other -> other.isWaiting() && other.hasKeyOf(effect)).stream()
                    .findFirst()
                    .map(standing -> new Enqueued(standing.id(), Enqueued.Status.ALREADY_WAITING))
                    .orElse(new Enqueued(effect.id(), Enqueued.Status.ADDED));
            Violation.unless(results.get(i).equals(expected), "E7: %s, not %s", results.get(i), expected);
            effect.keyRow().ifPresent(held::add);
            if (expected.status() == Enqueued.Status.ADDED) {
                after.put(effect);
                added.add(effect);
            } else {
                held.add(Row.effect(effect.id()));
                held.add(Row.standing(effect.id()));
            }
            // A head that was seen before, and that this transaction did not change, is only pinned.
            Row head = Row.head(effect.repo());
            if (!now.isSure()
                    || !now.model().hasHead(effect.repo())
                    || now.mine().contains(head)) {
                held.add(head);
                held.add(Row.changingHead(effect.repo()));
            }
        }
        return new Change<>(held, model -> added.forEach(model::put));
    }
}
