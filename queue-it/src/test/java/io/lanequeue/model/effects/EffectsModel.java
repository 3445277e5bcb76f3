package io.lanequeue.model.effects;

import io.lanequeue.effects.EffectClaim;
import io.lanequeue.model.Model;
import io.lanequeue.schema.EffectId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** All that is to be known of an effect queue: the effects and where each stands. */
final class EffectsModel implements Model<EffectsModel> {

    /** Few, so that actors meet. */
    static final List<String> REPOS = List.of("a", "b");

    private final NavigableMap<EffectId, Effect> effects = new TreeMap<>();

    /** Every claim that was given, for those who come back late. */
    private final List<EffectClaim> claims = new ArrayList<>();

    /** Not predicted but looked up: which repositories have a head decides nothing but who waits. */
    private Set<String> heads = Set.of();

    /** Not predicted but looked up: when what is due is enqueued depends on who is in the way. */
    private Set<EffectId> enqueued = Set.of();

    @Override
    public EffectsModel copy() {
        EffectsModel copy = new EffectsModel();
        copy.effects.putAll(effects);
        copy.claims.addAll(claims);
        copy.heads = heads;
        copy.enqueued = enqueued;
        return copy;
    }

    Collection<Effect> effects() {
        return effects.values();
    }

    List<Effect> effects(Predicate<Effect> which) {
        return effects.values().stream().filter(which).toList();
    }

    /** So many of those that fit, from a position on; a number too large begins again in front. */
    List<Effect> pick(int position, int count, Predicate<Effect> fits) {
        List<Effect> fitting = effects(fits);
        return fitting.stream()
                .skip(fitting.isEmpty() ? 0 : position % fitting.size())
                .limit(count)
                .toList();
    }

    Optional<Effect> effect(EffectId id) {
        return Optional.ofNullable(effects.get(id));
    }

    void put(Effect effect) {
        effects.put(effect.id(), effect);
    }

    void remove(Collection<Effect> removed) {
        removed.forEach(effect -> effects.remove(effect.id()));
    }

    void truncate() {
        effects.clear();
    }

    long inFlight(String repo) {
        return effects(effect -> effect.repo().equals(repo) && effect.isClaimed())
                .size();
    }

    /** Which effect supersedes each of those that come back together: a waiting one of its key, or else the newest. */
    Map<EffectId, EffectId> superseding(Collection<Effect> comingBack) {
        Map<EffectId, EffectId> newer = new HashMap<>();
        for (Effect effect : comingBack) {
            effects.values().stream()
                    .filter(other -> other.isWaiting() && other.hasKeyOf(effect))
                    .map(Effect::id)
                    .findFirst()
                    .or(() -> comingBack.stream()
                            .filter(effect::hasKeyOf)
                            .map(Effect::id)
                            .max(EffectId::compareTo)
                            .filter(newest -> !newest.equals(effect.id())))
                    .ifPresent(other -> newer.put(effect.id(), other));
        }
        return newer;
    }

    void claim(EffectClaim claim) {
        claims.add(claim);
    }

    /** So many claims, from a position on, that are held, or that are not any more. */
    List<EffectClaim> claims(int position, int count, Which which) {
        Map<EffectId, EffectClaim> latest = new TreeMap<>();
        claims.stream()
                .filter(claim -> isHeld(claim) == (which == Which.PRESENT))
                .forEach(claim -> latest.put(claim.effect(), claim));
        return latest.values().stream()
                .skip(latest.isEmpty() ? 0 : position % latest.size())
                .limit(count)
                .toList();
    }

    enum Which {
        PRESENT,
        STALE
    }

    boolean isHeld(EffectClaim claim) {
        return effect(claim.effect())
                .filter(effect -> effect.isClaimedUnder(claim))
                .isPresent();
    }

    boolean hasHead(String repo) {
        return heads.contains(repo);
    }

    /** Whether it is in state enqueued for certain. */
    boolean isEnqueued(Effect effect) {
        return effect.phase() == Effect.Phase.WAITING && enqueued.contains(effect.id());
    }

    void saw(Set<String> seenHeads, Set<EffectId> seenEnqueued) {
        heads = Set.copyOf(seenHeads);
        enqueued = Set.copyOf(seenEnqueued);
    }
}
