package io.lanequeue.effects;

import io.lanequeue.testing.PlannedCall;
import io.lanequeue.testing.Shape;
import io.lanequeue.testing.Situation;
import io.lanequeue.testing.Statistics;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Where the planner knows how many effects there are, a dispatch must not look dear to it for that; nor may it read all
 * of the only repository where it knows of no other.
 */
class DispatchPlanTest extends EffectPlanTest {

    static Stream<Situation> situations() {
        return Stream.of(
                new Situation(100_000, Shape.SKEWED, Statistics.FRESH), new Situation(1, Shape.EVEN, Statistics.FRESH));
    }

    @Override
    protected Stream<EffectCall> plannedCalls() {
        return Stream.of(EffectCall.DISPATCH, EffectCall.CLAIM);
    }

    @Override
    protected IntStream batchesOf(PlannedCall call) {
        return IntStream.of(1, 100);
    }
}
