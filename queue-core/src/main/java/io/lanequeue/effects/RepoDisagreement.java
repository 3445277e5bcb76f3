package io.lanequeue.effects;

import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.RepoId;
import org.jspecify.annotations.Nullable;

/**
 * A repository whose head does not fit its effects. Which effect the head names is no part of it: that only says where
 * to look first.
 *
 * @param repoId the repository
 * @param kind how they differ
 * @param headId the head, or null
 * @param oldest the oldest enqueued effect, or null
 * @param inFlight what the head counts; 0 without a head
 * @param claimed how many effects are claimed
 */
public record RepoDisagreement(
        RepoId repoId,
        Kind kind,
        @Nullable EffectId headId,
        @Nullable EffectId oldest,
        int inFlight,
        int claimed) {

    /** How a head and its effects differ. */
    public enum Kind {
        /**
         * There are effects enqueued or claimed, and no head: no dispatcher finds them. Never left by the triggers;
         * somebody went round them. Repair.
         */
        REPO_WITHOUT_HEAD,

        /** The number in flight is wrong, and so is the cap. Never left by the triggers. Repair. */
        WRONG_IN_FLIGHT,

        /**
         * There is a head and no effect. Usual for a moment after an enqueue was rolled back, or after a transaction
         * that claimed and completed; the next claim settles it.
         */
        EMPTY_REPO
    }
}
