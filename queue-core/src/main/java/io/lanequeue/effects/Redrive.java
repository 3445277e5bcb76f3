package io.lanequeue.effects;

import io.lanequeue.schema.EffectId;
import java.util.List;

/**
 * What a redrive did. Each list ascends by id; an effect in neither was not failed.
 *
 * @param enqueued effects that wait again
 * @param superseded effects that are done instead, because another one of the same dedupe key waits
 */
public record Redrive(List<EffectId> enqueued, List<EffectId> superseded) {

    public Redrive {
        enqueued = List.copyOf(enqueued);
        superseded = List.copyOf(superseded);
    }
}
