package io.lanequeue.model.effects;

import io.lanequeue.effects.EffectUpkeep;
import io.lanequeue.effects.StaleReport;
import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.schema.EffectId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Takes stale claims back; with an attempt limit of 1 they fail for good. */
record RequeueStale(int maxAttempts) implements Operation<EffectsModel> {

    static final Duration AGE = Duration.ofMinutes(30);

    private static final EffectUpkeep UPKEEP = new EffectUpkeep();

    @Override
    public Optional<Call<EffectsModel, StaleReport>> on(View<EffectsModel> view) {
        Set<Row> waitsFor = new HashSet<>(EffectChange.headsAndKeys(view.model()));
        waitsFor.add(Row.QUEUE);
        return Optional.of(Call.<EffectsModel, StaleReport>of(
                        dsl -> UPKEEP.requeueStale(dsl, AGE, maxAttempts, EffectUpkeep.MAX_BATCH), this::explain)
                .waitingOnlyFor(waitsFor));
    }

    private Change<EffectsModel> explain(StaleReport report, View<EffectsModel> now) {
        List<EffectId> ids = Stream.of(report.requeued(), report.superseded(), report.failed())
                .flatMap(List::stream)
                .sorted()
                .toList();
        List<Effect> taken = new ArrayList<>();
        ids.forEach(id -> now.model()
                .effect(id)
                .filter(effect -> effect.phase() == Effect.Phase.STALE)
                .ifPresent(taken::add));
        Violation.unless(taken.size() == ids.size(), "E3: taken are %s, of which only %s are stale", report, taken);
        now.model()
                .effects(effect -> effect.phase() == Effect.Phase.STALE && now.isFree(Row.effect(effect.id())))
                .forEach(effect -> Violation.unless(taken.contains(effect), "%s is stale, but not taken", effect));
        if (maxAttempts == 1) {
            Violation.unless(report.failed().size() == ids.size(), "not all are failed: %s", report);
            return EffectChange.of(
                    taken.stream().map(effect -> effect.in(Effect.Phase.FAILED)).toList(), now);
        }
        Violation.unless(report.failed().isEmpty(), "failed before their last attempt: %s", report);
        return ComingBack.change(taken, Set.copyOf(report.superseded()), Effect.Phase.WAITING, now);
    }
}
