package io.lanequeue.outbox;

import io.lanequeue.testing.Backlog;
import io.lanequeue.testing.PlanContract;
import io.lanequeue.testing.PlannedCall;
import io.lanequeue.testing.Shape;
import io.lanequeue.testing.Situation;
import io.lanequeue.testing.Statistics;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** With 100,000 lanes, one of which has half of all events, for the smallest and the largest batch. */
class PlanTest extends PlanContract {

    static Stream<Situation> situations() {
        return Stream.of(Statistics.OF_OTHERS, Statistics.DRAINED)
                .map(statistics -> new Situation(100_000, Shape.SKEWED, statistics));
    }

    @Override
    protected Backlog backlog() {
        return new OutboxBacklog();
    }

    @Override
    protected Stream<OutboxCall> plannedCalls() {
        return Stream.of(OutboxCall.values());
    }

    @Override
    protected Stream<Operation> everyCall() {
        return Stream.of(Operation.values());
    }

    @Override
    protected IntStream batchesOf(PlannedCall call) {
        return call.units().extremeBatches(situation.size());
    }
}
