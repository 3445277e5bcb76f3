package io.lanequeue.interleavings;

import static io.lanequeue.interleavings.RepoLedger.Standing.CLAIMED;
import static io.lanequeue.interleavings.RepoLedger.Standing.DONE;
import static io.lanequeue.interleavings.RepoLedger.Standing.FAILED;
import static io.lanequeue.interleavings.RepoLedger.Standing.LATER;
import static io.lanequeue.interleavings.RepoLedger.Standing.WAITING;
import static io.lanequeue.model.Violation.unless;

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
                unless(waits(enqueued.id()), "told that %s waits, of %s", enqueued.id(), this);
                held.add(enqueued.id());
            }
        }
    }

    void claimed(List<ClaimedEffect> claimed) {
        for (ClaimedEffect effect : claimed) {
            EffectId id = effect.claim().effect();
            unless(!held.contains(id), "claimed %s, which stands for an open enqueue", id);
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
                unless(newer != null && waits(newer), "%s superseded by %s, of %s", claim, newer, this);
                end(claim, DONE);
            }
            case CLAIM_LOST -> unless(!claims.containsValue(claim), "told that %s is lost, though it holds", claim);
        }
    }

    private void end(EffectClaim claim, Standing standing) {
        unless(claims.containsValue(claim), "reported under %s, of %s", claim, claims());
        move(claim.effect(), EnumSet.of(CLAIMED), standing);
    }

    void extended(EffectClaim claim, Map<EffectClaim, Instant> extended) {
        unless(extended.containsKey(claim) == claims.containsValue(claim), "extended %s, of %s", extended, claims());
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
        unless(effects.remove(effect) != null, "removed %s, of %s", effect, this);
        claims.remove(effect);
    }

    private void move(EffectId effect, Set<Standing> from, Standing to) {
        unless(from.contains(effects.get(effect)), "%s became %s, of %s", effect, to, this);
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
