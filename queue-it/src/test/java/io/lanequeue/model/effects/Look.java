package io.lanequeue.model.effects;

import io.lanequeue.effects.EffectOperator;
import io.lanequeue.effects.EffectTotals;
import io.lanequeue.effects.FailedEffect;
import io.lanequeue.effects.FailedQuery;
import io.lanequeue.effects.RepoCounts;
import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.RepoId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;

/** Looks at a repository, and at what is in flight and failed over all, as an operator does. */
record Look(String repo) implements Operation<EffectsModel> {

    private static final EffectOperator OPERATOR = new EffectOperator();

    /** What operators are told; waiting are those that are enqueued or scheduled. */
    record Result(long waiting, long inFlight, List<EffectId> failed, long inFlightOfAll, int failedOfAll) {}

    @Override
    public Optional<Call<EffectsModel, Result>> on(View<EffectsModel> view) {
        Result expected = expected(view.model());
        return Optional.of(Call.<EffectsModel, Result>of(this::send, (result, now) -> {
                    Violation.unless(result.equals(expected), "operators see %s, not %s", result, expected);
                    return Change.none();
                })
                .waitingOnlyFor(Set.of()));
    }

    private Result send(DSLContext dsl) {
        RepoCounts counts = OPERATOR.counts(dsl, new RepoId(repo), 100);
        EffectTotals totals = OPERATOR.totals(dsl, EffectOperator.MAX_BATCH);
        return new Result(
                counts.scheduled() + counts.enqueued(),
                counts.inFlight(),
                OPERATOR.failed(dsl, FailedQuery.of(new RepoId(repo))).stream()
                        .map(FailedEffect::id)
                        .toList(),
                totals.inFlight(),
                totals.failed());
    }

    private Result expected(EffectsModel model) {
        return new Result(
                model.effects(effect -> effect.repo().equals(repo) && effect.isWaiting())
                        .size(),
                model.inFlight(repo),
                model.effects(effect -> effect.repo().equals(repo) && effect.phase() == Effect.Phase.FAILED).stream()
                        .map(Effect::id)
                        .toList(),
                model.effects(Effect::isClaimed).size(),
                model.effects(effect -> effect.phase() == Effect.Phase.FAILED).size());
    }
}
