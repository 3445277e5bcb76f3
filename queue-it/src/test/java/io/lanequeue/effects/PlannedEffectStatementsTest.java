package io.lanequeue.effects;

import io.lanequeue.testing.PlannedStatementsContract;
import java.util.stream.Stream;

/** No call of the effect queue is forgotten among those that are planned. */
class PlannedEffectStatementsTest extends PlannedStatementsContract {

    PlannedEffectStatementsTest() {
        super(new EffectBacklog());
    }

    @Override
    protected Stream<EffectCall> plannedCalls() {
        return Stream.of(EffectCall.values());
    }

    @Override
    protected Stream<EffectOperation> everyCall() {
        return Stream.of(EffectOperation.values());
    }
}
