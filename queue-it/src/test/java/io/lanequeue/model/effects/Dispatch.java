package io.lanequeue.model.effects;

import static java.util.stream.Collectors.toSet;

import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.model.Call;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.schema.RepoId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Claims effects across all repositories but the excluded ones, with a cap on each. */
record Dispatch(int limit, int cap, Set<String> excluded) implements Operation<EffectsModel> {

    private static final EffectConsumer CONSUMER = new EffectConsumer();

    @Override
    public Optional<Call<EffectsModel, List<Claiming.Claimed>>> on(View<EffectsModel> view) {
        DispatchRequest request = DispatchRequest.by("model")
                .withLimit(limit)
                .withCap(cap)
                .excluding(excluded.stream().map(RepoId::new).toList());
        Set<String> repos = EffectsModel.REPOS.stream()
                .filter(repo -> !excluded.contains(repo))
                .collect(toSet());
        return Optional.of(new Claiming(repos, limit, cap).call(dsl -> CONSUMER.dispatch(dsl, request), view));
    }
}
