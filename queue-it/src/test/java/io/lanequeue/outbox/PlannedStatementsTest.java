package io.lanequeue.outbox;

import io.lanequeue.testing.PlannedStatementsContract;
import java.util.stream.Stream;

/** No call of the outbox is forgotten among those that are planned. */
class PlannedStatementsTest extends PlannedStatementsContract {

    PlannedStatementsTest() {
        super(new OutboxBacklog());
    }

    @Override
    protected Stream<OutboxCall> plannedCalls() {
        return Stream.of(OutboxCall.values());
    }

    @Override
    protected Stream<Operation> everyCall() {
        return Stream.of(Operation.values());
    }
}
