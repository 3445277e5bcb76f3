package io.lanequeue.effects;

import io.lanequeue.testing.Backlog;
import io.lanequeue.testing.PlanContract;
import io.lanequeue.testing.PlannedCall;
import io.lanequeue.testing.Shape;
import io.lanequeue.testing.Situation;
import io.lanequeue.testing.Statistics;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** With 100,000 repositories, one of which has a million older effects, for the smallest and the largest batch. */
class EffectPlanTest extends PlanContract {

    static Stream<Situation> situations() {
        return Stream.of(Statistics.OF_OTHERS, Statistics.DRAINED)
                .map(statistics -> new Situation(100_000, Shape.SKEWED, statistics));
    }

    @Override
    protected Backlog backlog() {
        return new EffectBacklog();
    }

    @Override
    protected Stream<EffectCall> plannedCalls() {
        return Stream.of(EffectCall.values());
    }

    @Override
    protected Stream<EffectOperation> everyCall() {
        return Stream.of(EffectOperation.values());
    }

    @Override
    protected IntStream batchesOf(PlannedCall call) {
        return call.units().extremeBatches(situation.size());
    }
}
