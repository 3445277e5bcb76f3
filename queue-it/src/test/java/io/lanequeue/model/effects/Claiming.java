package io.lanequeue.model.effects;

import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.EffectClaim;
import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.schema.EffectId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jooq.DSLContext;

/**
 * What a claim may hand out, and what it must.
 *
 * @param repos the repositories it is about
 * @param limit at most so many effects
 * @param cap at most so many in flight of each repository
 */
record Claiming(Set<String> repos, int limit, int cap) {

    /** A claimed effect. */
    record Claimed(EffectClaim claim, String repo) {}

    Call<EffectsModel, List<Claimed>> call(
            Function<DSLContext, List<ClaimedEffect>> statement, View<EffectsModel> view) {
        Call<EffectsModel, List<Claimed>> call = Call.of(
                dsl -> statement.apply(dsl).stream()
                        .map(effect ->
                                new Claimed(effect.claim(), effect.repoId().value()))
                        .toList(),
                (claimed, now) -> explain(claimed, view.model(), now));
        if (!view.isReadCommitted()) {
            return call;
        }
        // For heads it waits a few milliseconds, to enqueue what is due.
        Set<Row> waitsFor = new HashSet<>(Set.of(Row.QUEUE));
        EffectsModel.REPOS.forEach(repo -> waitsFor.add(Row.changingHead(repo)));
        return call.waitingOnlyFor(waitsFor);
    }

    private Change<EffectsModel> explain(List<Claimed> claimed, EffectsModel seen, View<EffectsModel> now) {
        List<Effect> taken = new ArrayList<>();
        claimed.forEach(
                effect -> taken.add(checked(effect, now).claimed(effect.claim().id())));
        TreeSet<EffectId> ids = new TreeSet<>();
        taken.forEach(effect -> ids.add(effect.id()));
        Violation.unless(ids.size() == taken.size() && ids.size() <= limit, "more than %s are claimed", limit);
        EffectsModel after = now.latest().copy();
        EffectsModel seenAfter = seen.copy();
        taken.forEach(after::put);
        taken.forEach(seenAfter::put);
        for (Effect effect : taken) {
            Violation.unless(
                    after.inFlight(effect.repo()) <= cap, "E4: the cap of %s is passed in %s", cap, effect.repo());
        }
        seen.effects(effect -> !ids.contains(effect.id()) && isEligible(effect, seen, now))
                .forEach(effect -> checkNotPassedOver(effect, taken, seenAfter));
        return new Change<EffectsModel>(
                        held(after, now), model -> claimed.forEach(effect -> model.claim(effect.claim())))
                .and(EffectChange.of(taken, now));
    }

    private Effect checked(Claimed claimed, View<EffectsModel> now) {
        EffectId id = claimed.claim().effect();
        Effect effect = now.model()
                .effect(id)
                .orElseThrow(() -> new Violation("E3: effect %s is claimed, but not there".formatted(id)));
        Violation.unless(
                effect.phase() == Effect.Phase.WAITING && repos.contains(effect.repo()), "E3: claimed is %s", effect);
        Violation.unless(effect.repo().equals(claimed.repo()), "%s is claimed of %s", effect, claimed.repo());
        Violation.unless(
                !now.others().contains(Row.standing(id)), "E7: %s is claimed while it stands for another", effect);
        return effect;
    }

    /** Enqueued for certain, and held by nobody. */
    private boolean isEligible(Effect effect, EffectsModel seen, View<EffectsModel> now) {
        return repos.contains(effect.repo())
                && seen.isEnqueued(effect)
                && now.isFree(Row.effect(effect.id()))
                && now.isFree(Row.head(effect.repo()));
    }

    /** The oldest come first, as far as their repositories have room. */
    private void checkNotPassedOver(Effect effect, List<Effect> taken, EffectsModel after) {
        boolean hasRoom = after.inFlight(effect.repo()) < cap;
        Violation.unless(!hasRoom || taken.size() == limit, "E2: %s is not claimed", effect);
        for (Effect other : taken) {
            Violation.unless(
                    other.id().compareTo(effect.id()) < 0
                            || (!hasRoom && !other.repo().equals(effect.repo())),
                    "%s is claimed before the older %s",
                    other,
                    effect);
        }
    }

    /** What it looked into, or enqueued because it was due; and heads that it removed because nothing stands behind. */
    private Set<Row> held(EffectsModel after, View<EffectsModel> now) {
        Set<Row> held = new HashSet<>();
        repos.forEach(repo -> held.add(Row.head(repo)));
        now.model().effects(effect -> effect.phase() == Effect.Phase.WAITING).forEach(effect -> {
            held.add(Row.effect(effect.id()));
            effect.keyRow().ifPresent(held::add);
        });
        for (String repo : EffectsModel.REPOS) {
            if (after.inFlight(repo) == 0
                    && after.effects(effect -> effect.repo().equals(repo) && after.isEnqueued(effect))
                            .isEmpty()) {
                held.add(Row.head(repo));
                held.add(Row.changingHead(repo));
            }
        }
        return held;
    }
}
