package io.lanequeue.schema;

import java.util.Locale;

/** Where an effect stands. */
public enum EffectState {
    /** Waits until it is due. */
    SCHEDULED,

    /** Waits to be claimed. */
    ENQUEUED,

    /** A worker holds it. */
    CLAIMED,

    /** Completed, or superseded by a newer effect of the same dedupe key. */
    DONE,

    /** Failed for good, or cancelled; an operator may redrive it. */
    FAILED;

    /** The state of a value of {@code effect_queue.state}. */
    public static EffectState of(String columnValue) {
        return valueOf(columnValue.toUpperCase(Locale.ROOT));
    }

    /** The value in {@code effect_queue.state}. */
    public String columnValue() {
        return name().toLowerCase(Locale.ROOT);
    }
}
