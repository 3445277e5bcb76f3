package io.lanequeue.outbox;

import io.lanequeue.testing.Backlog;
import io.lanequeue.testing.PlanContract;
import io.lanequeue.testing.Situation;
import java.util.stream.Stream;

/** With 100,000 lanes, one of which has half of all events, for the smallest and the largest batch. */
class PlanTest extends PlanContract {

    static Stream<Situation> situations() {
        return Situation.misleading();
    }

    @Override
    protected Backlog backlog() {
        return new OutboxBacklog();
    }

    @Override
    protected Stream<OutboxCall> plannedCalls() {
        return Stream.of(OutboxCall.values());
    }
}
