package io.lanequeue.effects;

import io.lanequeue.testing.PlannedCall;
import io.lanequeue.testing.Situation;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/** In all situations, for all batches. */
@Tag("long")
class EveryEffectPlanTest extends EffectPlanTest {

    static Stream<Situation> situations() {
        return Situation.all();
    }

    @Override
    protected IntStream batchesOf(PlannedCall call) {
        return call.units().batches(situation.size());
    }
}
