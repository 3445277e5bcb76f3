package io.lanequeue.interleavings;

import static io.lanequeue.interleavings.Contradiction.unless;
import static io.lanequeue.interleavings.RepoLedger.Standing.CLAIMED;
import static io.lanequeue.interleavings.RepoLedger.Standing.DONE;
import static io.lanequeue.interleavings.RepoLedger.Standing.FAILED;
import static io.lanequeue.interleavings.RepoLedger.Standing.LATER;
import static io.lanequeue.interleavings.RepoLedger.Standing.WAITING;

import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.EffectClaim;
import io.lanequeue.effects.EffectReport;
import io.lanequeue.effects.Enqueued;
import io.lanequeue.effects.Redrive;
import io.lanequeue.effects.StaleReport;
import io.lanequeue.schema.EffectId;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What a repository must hold: where each effect stands, and under which claim. */
final class RepoLedger implements Ledger {

    /** Where an effect stands. */
    enum Standing {
        /** Enqueued, or due. */
        WAITING,
        /** Scheduled for later. */
        LATER,
        CLAIMED,
        DONE,
        FAILED
    }

    private final Map<EffectId, Standing> effects;
    private final Map<EffectId, EffectClaim> claims;

    /** What stands for an enqueue whose transaction may be open: it must not be claimed. */
    private final Set<EffectId> held = new HashSet<>();

    RepoLedger() {
        effects = new TreeMap<>();
        claims = new TreeMap<>();
    }

    RepoLedger(RepoLedger other) {
        effects = new TreeMap<>(other.effects);
        claims = new TreeMap<>(other.claims);
    }

    Map<EffectId, Standing> effects() {
        return effects;
    }

    /** The claims that hold. */
    Collection<EffectClaim> claims() {
        return claims.values();
    }

    /** The effects that can be claimed now or later, oldest first. */
    List<EffectId> claimable() {
        return effects.keySet().stream().filter(this::waits).toList();
    }

    @Override
    public void transactionsEnded() {
        held.clear();
    }

    void prepared(EffectClaim claim, Standing standing) {
        effects.put(claim.effect(), standing);
        if (standing == CLAIMED) {
            claims.put(claim.effect(), claim);
        }
    }

    void enqueued(Enqueued enqueued) {
        switch (enqueued.status()) {
            case ADDED -> effects.put(enqueued.id(), WAITING);
            case ALREADY_WAITING -> {
                unless(waits(enqueued.id()), "told that " + enqueued.id() + " waits, of " + this);
                held.add(enqueued.id());
            }
        }
    }

    void claimed(List<ClaimedEffect> claimed) {
        for (ClaimedEffect effect : claimed) {
            EffectId id = effect.claim().effect();
            unless(!held.contains(id), "claimed " + id + ", which stands for an open enqueue");
            move(id, EnumSet.of(WAITING), CLAIMED);
            claims.put(id, effect.claim());
        }
    }

    void reported(EffectReport report, Standing standing) {
        EffectClaim claim = report.claim();
        switch (report.status()) {
            case APPLIED -> end(claim, standing);
            case SUPERSEDED -> {
                EffectId newer = report.supersededBy();
                unless(newer != null && waits(newer), claim + " superseded by " + newer + ", of " + this);
                end(claim, DONE);
            }
            case CLAIM_LOST -> unless(!claims.containsValue(claim), "told that " + claim + " is lost, though it holds");
        }
    }

    private void end(EffectClaim claim, Standing standing) {
        unless(claims.containsValue(claim), "reported under " + claim + ", of " + claims());
        move(claim.effect(), EnumSet.of(CLAIMED), standing);
    }

    void extended(EffectClaim claim, Map<EffectClaim, Instant> extended) {
        unless(extended.containsKey(claim) == claims.containsValue(claim), "extended " + extended + ", of " + claims());
    }

    void requeued(StaleReport report) {
        report.requeued().forEach(effect -> move(effect, EnumSet.of(CLAIMED), WAITING));
        report.superseded().forEach(effect -> move(effect, EnumSet.of(CLAIMED), DONE));
        report.failed().forEach(effect -> move(effect, EnumSet.of(CLAIMED), FAILED));
    }

    void cancelled(List<EffectId> cancelled) {
        cancelled.forEach(effect -> move(effect, EnumSet.of(WAITING, LATER), FAILED));
    }

    void redriven(Redrive redrive) {
        redrive.enqueued().forEach(effect -> move(effect, EnumSet.of(FAILED), WAITING));
        redrive.superseded().forEach(effect -> move(effect, EnumSet.of(FAILED), DONE));
    }

    void removed(EffectId effect) {
        unless(effects.remove(effect) != null, "removed " + effect + ", of " + this);
        claims.remove(effect);
    }

    private void move(EffectId effect, Set<Standing> from, Standing to) {
        unless(from.contains(effects.get(effect)), effect + " became " + to + ", of " + this);
        effects.put(effect, to);
        claims.remove(effect);
    }

    private boolean waits(EffectId effect) {
        return effects.get(effect) == WAITING || effects.get(effect) == LATER;
    }

    @Override
    public String toString() {
        return effects.toString();
    }
}
