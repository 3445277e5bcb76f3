package io.lanequeue.model.effects;

import io.lanequeue.effects.EffectOperator;
import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.RepoId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jooq.DSLContext;

/** Redrives failed effects: those named, from a position on, or so many of a repository. */
record Redrive(By by, int position, int count) implements Operation<EffectsModel> {

    private static final EffectOperator OPERATOR = new EffectOperator();

    enum By {
        ID,
        REPO
    }

    @Override
    public Optional<Call<EffectsModel, io.lanequeue.effects.Redrive>> on(View<EffectsModel> view) {
        List<Effect> failed = view.model().pick(position, count, effect -> effect.phase() == Effect.Phase.FAILED);
        if (failed.isEmpty()) {
            return Optional.empty();
        }
        if (by == By.ID) {
            return Optional.of(call(
                    dsl -> OPERATOR.redrive(dsl, failed.stream().map(Effect::id).toList()), failed));
        }
        String repo = failed.get(0).repo();
        List<Effect> ofRepo = view.model()
                .effects(effect ->
                        effect.phase() == Effect.Phase.FAILED && effect.repo().equals(repo));
        return Optional.of(call(
                dsl -> OPERATOR.redrive(dsl, new RepoId(repo), count),
                ofRepo.stream().limit(count).toList()));
    }

    private static Call<EffectsModel, io.lanequeue.effects.Redrive> call(
            Function<DSLContext, io.lanequeue.effects.Redrive> statement, List<Effect> named) {
        return Call.of(statement, (redriven, now) -> explain(named, redriven, now));
    }

    private static Change<EffectsModel> explain(
            List<Effect> named, io.lanequeue.effects.Redrive redriven, View<EffectsModel> now) {
        List<EffectId> ids = new ArrayList<>(redriven.enqueued());
        ids.addAll(redriven.superseded());
        List<Effect> failed =
                now.model().effects(effect -> effect.phase() == Effect.Phase.FAILED && ids.contains(effect.id()));
        Violation.unless(failed.size() == ids.size(), "redriven are %s, of which only %s had failed", ids, failed);
        Violation.unless(!now.isSure() || failed.equals(named), "redriven are %s, not %s", redriven, named);
        Change<EffectsModel> locks = now.isSure()
                ? Change.none()
                : EffectChange.lock(named.stream().map(Effect::id).toList(), now);
        return locks.and(ComingBack.change(failed, Set.copyOf(redriven.superseded()), Effect.Phase.WAITING, now));
    }
}
