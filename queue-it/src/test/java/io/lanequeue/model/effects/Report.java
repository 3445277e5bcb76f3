package io.lanequeue.model.effects;

import io.lanequeue.effects.EffectClaim;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectFailure;
import io.lanequeue.effects.EffectReport;
import io.lanequeue.effects.EffectRetry;
import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.model.effects.EffectsModel.Which;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.RepoId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;

/** Reports claims that are held, or that were, all with the same outcome. */
record Report(int position, int count, Which which, Outcome outcome) implements Operation<EffectsModel> {

    private static final EffectConsumer CONSUMER = new EffectConsumer();
    private static final String REPO = EffectsModel.REPOS.get(0);

    enum Outcome {
        COMPLETE,
        /** Only of the first repository. */
        COMPLETE_OF_REPO,
        FAIL,
        RETRY_NOW,
        RETRY_LATER,
        RELEASE
    }

    @Override
    public Optional<Call<EffectsModel, List<EffectReport>>> on(View<EffectsModel> view) {
        List<EffectClaim> claims = view.model().claims(position, count, which);
        if (claims.isEmpty()) {
            return Optional.empty();
        }
        Set<Row> waitsFor = new HashSet<>(Set.of(Row.QUEUE));
        claims.forEach(claim -> {
            waitsFor.add(Row.effect(claim.effect()));
            view.model().effect(claim.effect()).ifPresent(effect -> {
                waitsFor.add(Row.head(effect.repo()));
                effect.keyRow().ifPresent(waitsFor::add);
            });
        });
        return Optional.of(Call.<EffectsModel, List<EffectReport>>of(
                        dsl -> send(dsl, claims), (reports, now) -> explain(claims, reports, now))
                .waitingOnlyFor(waitsFor));
    }

    private List<EffectReport> send(DSLContext dsl, List<EffectClaim> claims) {
        return switch (outcome) {
            case COMPLETE -> CONSUMER.complete(dsl, claims);
            case COMPLETE_OF_REPO -> CONSUMER.complete(dsl, new RepoId(REPO), claims);
            case FAIL ->
                CONSUMER.fail(
                        dsl,
                        claims.stream()
                                .map(claim -> new EffectFailure(claim, "model"))
                                .toList());
            case RETRY_NOW -> retry(dsl, claims, Duration.ZERO);
            case RETRY_LATER -> retry(dsl, claims, Duration.ofHours(1));
            case RELEASE -> CONSUMER.release(dsl, claims);
        };
    }

    private static List<EffectReport> retry(DSLContext dsl, List<EffectClaim> claims, Duration delay) {
        return CONSUMER.retry(
                dsl,
                claims.stream()
                        .map(claim -> new EffectRetry(claim, delay, "model"))
                        .toList());
    }

    private Change<EffectsModel> explain(List<EffectClaim> claims, List<EffectReport> reports, View<EffectsModel> now) {
        List<Effect> effects = new ArrayList<>();
        Set<EffectId> superseded = new HashSet<>();
        List<EffectId> looked = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            EffectClaim claim = claims.get(i);
            EffectReport report = reports.get(i);
            Optional<Effect> held = now.model()
                    .effect(claim.effect())
                    .filter(effect -> effect.isClaimedUnder(claim))
                    .filter(effect ->
                            outcome != Outcome.COMPLETE_OF_REPO || effect.repo().equals(REPO));
            Violation.unless(
                    report.claim().equals(claim)
                            && held.isEmpty() == (report.status() == EffectReport.Status.CLAIM_LOST),
                    "E5: %s of %s",
                    report,
                    now.model().effect(claim.effect()));
            held.ifPresent(effects::add);
            if (report.status() == EffectReport.Status.SUPERSEDED) {
                superseded.add(claim.effect());
            }
            if (!now.isSure()) {
                looked.add(claim.effect()); // also a lost one, where the call has waited for it
            }
        }
        return EffectChange.lock(looked, now).and(change(effects, superseded, now));
    }

    private Change<EffectsModel> change(List<Effect> effects, Set<EffectId> superseded, View<EffectsModel> now) {
        return switch (outcome) {
            case COMPLETE, COMPLETE_OF_REPO -> EffectChange.of(all(effects, Effect.Phase.DONE), now);
            case FAIL -> EffectChange.of(all(effects, Effect.Phase.FAILED), now);
            case RETRY_NOW, RELEASE -> ComingBack.change(effects, superseded, Effect.Phase.WAITING, now);
            case RETRY_LATER -> ComingBack.change(effects, superseded, Effect.Phase.LATER, now);
        };
    }

    private static List<Effect> all(List<Effect> effects, Effect.Phase phase) {
        return effects.stream().map(effect -> effect.in(phase)).toList();
    }
}
