package io.lanequeue.effects;

import io.lanequeue.schema.EffectId;
import java.util.List;

/**
 * What a requeue of stale claims did. Each list ascends by id.
 *
 * @param requeued effects that wait again
 * @param superseded effects that are done instead, because another one of the same dedupe key waits
 * @param failed effects that had used up their attempts and failed for good
 */
public record StaleReport(List<EffectId> requeued, List<EffectId> superseded, List<EffectId> failed) {

    public StaleReport {
        requeued = List.copyOf(requeued);
        superseded = List.copyOf(superseded);
        failed = List.copyOf(failed);
    }

    /** How many claims were taken; while it is the limit, there may be more. */
    public int taken() {
        return requeued.size() + superseded.size() + failed.size();
    }
}
