package io.lanequeue.soak;

import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.EffectClaim;
import io.lanequeue.effects.EffectReport;
import io.lanequeue.schema.ClaimId;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.RepoId;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What became of every effect, kept outside the database: five bits an effect, and who holds what at the moment.
 * Thread-safe.
 *
 * <p>Whatever it calls a loss is one: a hold ends here before it ends in the database, and what is held here at a time
 * is never more than what is claimed there.
 */
final class EffectLedger {

    private final BitSet committed = new BitSet();
    private final BitSet run = new BitSet();
    private final BitSet removed = new BitSet();
    private final BitSet superseded = new BitSet();
    private final BitSet doneWithoutRun = new BitSet();
    private final Map<EffectId, Hold> holds = new HashMap<>();
    private final Map<EffectId, Long> lostUpTo = new HashMap<>();
    private final Map<RepoId, Integer> running = new HashMap<>();
    private final int cap;
    private final Losses losses;
    private final Counts<Happening> happenings;

    EffectLedger(int cap, Losses losses, Counts<Happening> happenings) {
        this.cap = cap;
        this.losses = losses;
        this.happenings = happenings;
    }

    /** Effects exist. May be told after they were run. */
    synchronized void committed(Collection<EffectId> effects) {
        effects.forEach(effect -> committed.set(bit(effect)));
        happenings.add(Happening.ENQUEUED, effects.size());
    }

    /** Effects were taken out by others than the workers. */
    synchronized void removed(Collection<EffectId> effects) {
        effects.forEach(effect -> removed.set(bit(effect)));
    }

    /** Effects are done because newer ones stand for them. */
    synchronized void superseded(Collection<EffectId> effects) {
        effects.forEach(effect -> superseded.set(bit(effect)));
    }

    /** Effects were handed out. */
    synchronized void claimed(Collection<ClaimedEffect> effects) {
        effects.forEach(this::hold);
    }

    private void hold(ClaimedEffect effect) {
        Hold before = holds.get(effect.claim().effect());
        if (before != null && before.isNewerThan(effect.claim())) {
            return;
        }
        if (before != null && before.live) {
            losses.add(Loss.EFFECT_HELD_TWICE, before.claim + " and " + effect.claim());
            end(before);
        }
        var hold = new Hold(effect.claim(), effect.repoId());
        holds.put(effect.claim().effect(), hold);
        if (effect.claim().id().value() > lostUpTo.getOrDefault(effect.claim().effect(), 0L)) {
            lostUpTo.remove(effect.claim().effect());
            start(hold);
        }
    }

    private void start(Hold hold) {
        hold.live = true;
        int held = running.merge(hold.repo, 1, Integer::sum);
        if (held > cap) {
            losses.add(Loss.CAP_PASSED, hold.repo + " has " + held + " running");
        }
    }

    /** An effect was run: it took effect outside. */
    synchronized void run(EffectClaim claim) {
        happenings.add(Happening.RUN);
        if (run.get(bit(claim.effect()))) {
            happenings.add(Happening.RUN_AGAIN);
        }
        run.set(bit(claim.effect()));
    }

    /**
     * A worker is about to report. From now on the effects may be anybody's.
     *
     * @return the claims that are the newest known of their effects
     */
    synchronized Set<EffectClaim> reporting(Collection<EffectClaim> claims) {
        return claims.stream().filter(this::endIfNewest).collect(Collectors.toSet());
    }

    private boolean endIfNewest(EffectClaim claim) {
        Hold hold = holds.get(claim.effect());
        if (hold == null || !hold.claim.equals(claim)) {
            return false;
        }
        end(hold);
        return true;
    }

    /**
     * The answers to a report.
     *
     * @param newest the claims that were the newest of their effects before the report was sent
     */
    synchronized void reported(Collection<EffectReport> reports, Set<EffectClaim> newest) {
        for (EffectReport report : reports) {
            if (report.status() == EffectReport.Status.CLAIM_LOST) {
                happenings.add(Happening.CLAIM_LOST);
            } else if (!newest.contains(report.claim())) {
                losses.add(Loss.REPORTED_UNDER_LOST_CLAIM, report.toString());
            }
            if (report.status() == EffectReport.Status.SUPERSEDED) {
                superseded(List.of(report.claim().effect()));
            }
            forget(report.claim());
        }
    }

    /**
     * Effects are about to be taken from whoever holds them, by a transaction that has not committed.
     *
     * @param newest the newest claim of any effect; later ones are not lost
     * @return the known claims that are lost if it commits
     */
    synchronized List<EffectClaim> taking(Collection<EffectId> effects, ClaimId newest) {
        // A worker may tell of its claim only after it has lost it.
        effects.forEach(effect -> lostUpTo.put(effect, newest.value()));
        List<Hold> taken =
                effects.stream().map(holds::get).filter(Objects::nonNull).toList();
        taken.forEach(this::end);
        return taken.stream().map(hold -> hold.claim).toList();
    }

    /** The transaction committed: these claims are lost. */
    synchronized void taken(Collection<EffectClaim> claims) {
        claims.forEach(this::forget);
    }

    /** Effects are done in the database, and no other stands for them: they must have been run. */
    synchronized void done(Collection<EffectId> effects) {
        for (EffectId effect : effects) {
            if (!run.get(bit(effect)) && !doneWithoutRun.get(bit(effect))) {
                doneWithoutRun.set(bit(effect));
                losses.add(Loss.DONE_WITHOUT_RUN, "effect " + effect);
            }
        }
    }

    /** Closes the account, when nobody works any more. */
    synchronized void close(Collection<EffectId> left) {
        left.forEach(effect -> losses.add(Loss.EFFECT_LEFT, "effect " + effect));
        BitSet unknown = (BitSet) run.clone();
        unknown.andNot(committed);
        unknown.stream().forEach(effect -> losses.add(Loss.EFFECT_UNKNOWN, "effect " + effect));
        BitSet lost = (BitSet) committed.clone();
        lost.andNot(run);
        lost.andNot(removed);
        lost.andNot(superseded);
        lost.andNot(doneWithoutRun);
        left.forEach(effect -> lost.clear(bit(effect)));
        lost.stream().forEach(effect -> losses.add(Loss.EFFECT_LOST, "effect " + effect));
    }

    private void end(Hold hold) {
        if (hold.live) {
            hold.live = false;
            running.merge(hold.repo, -1, Integer::sum);
        }
    }

    private void forget(EffectClaim claim) {
        if (endIfNewest(claim)) {
            holds.remove(claim.effect());
        }
    }

    private static int bit(EffectId effect) {
        return Math.toIntExact(effect.value());
    }

    /** One claim that a worker was given. */
    private static final class Hold {

        private final EffectClaim claim;
        private final RepoId repo;

        /** From when it is known until its end is under way. */
        private boolean live;

        private Hold(EffectClaim claim, RepoId repo) {
            this.claim = claim;
            this.repo = repo;
        }

        private boolean isNewerThan(EffectClaim other) {
            return claim.id().value() > other.id().value();
        }
    }
}
