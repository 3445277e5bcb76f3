package io.lanequeue.model.effects;

import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.RepoClaimRequest;
import io.lanequeue.model.Call;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.schema.RepoId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Claims effects of one repository. */
record ClaimOfRepo(String repo, int limit) implements Operation<EffectsModel> {

    private static final EffectConsumer CONSUMER = new EffectConsumer();

    @Override
    public Optional<Call<EffectsModel, List<Claiming.Claimed>>> on(View<EffectsModel> view) {
        RepoClaimRequest request = new RepoClaimRequest(new RepoId(repo), "model", limit);
        return Optional.of(new Claiming(Set.of(repo), limit, DispatchRequest.NO_CAP)
                .call(dsl -> CONSUMER.claim(dsl, request), view));
    }
}
