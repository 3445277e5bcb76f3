package io.lanequeue.model.effects;

import io.lanequeue.effects.EffectAudit;
import io.lanequeue.effects.RepoRepair;
import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Repairs the heads, which changes nothing for the effects. */
record RepairHeads() implements Operation<EffectsModel> {

    private static final EffectAudit AUDIT = new EffectAudit();

    @Override
    public Optional<Call<EffectsModel, RepoRepair>> on(View<EffectsModel> view) {
        return view.isReadCommitted()
                ? Optional.of(Call.of(AUDIT::repair, (repair, now) -> Change.holding(held())))
                : Optional.empty();
    }

    private static Set<Row> held() {
        Set<Row> held = new HashSet<>(Set.of(Row.QUEUE));
        EffectsModel.REPOS.forEach(repo -> {
            held.add(Row.head(repo));
            held.add(Row.changingHead(repo));
        });
        return held;
    }
}
