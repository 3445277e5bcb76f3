package io.lanequeue.effects;

import io.lanequeue.testing.Backlog;
import io.lanequeue.testing.PlanContract;
import io.lanequeue.testing.Situation;
import java.util.stream.Stream;

/** With 100,000 repositories, one of which has a million older effects, for the smallest and the largest batch. */
class EffectPlanTest extends PlanContract {

    static Stream<Situation> situations() {
        return Situation.misleading();
    }

    @Override
    protected Backlog backlog() {
        return new EffectBacklog();
    }

    @Override
    protected Stream<EffectCall> plannedCalls() {
        return Stream.of(EffectCall.values());
    }
}
