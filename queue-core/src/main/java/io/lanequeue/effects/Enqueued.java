package io.lanequeue.effects;

import io.lanequeue.schema.EffectId;

/**
 * What became of a {@link NewEffect}.
 *
 * @param id the effect that waits now
 * @param status whether it is the new one
 */
public record Enqueued(EffectId id, Status status) {

    /** Whether an effect was added. */
    public enum Status {
        /** The new effect waits. */
        ADDED,

        /**
         * One of the same repository and dedupe key waited already, and stands for it. The payload and the delay of the
         * new one are dropped: what was meant for now runs when the one that stands is due, which may be scheduled for
         * later or back off after a failure. That one is not claimed before this transaction ends, so whoever handles
         * it sees what this transaction changed.
         */
        ALREADY_WAITING
    }
}
