package io.lanequeue.outbox;

import io.lanequeue.testing.CallerTransactionContract;
import java.util.stream.Stream;

class CallerTransactionTest extends CallerTransactionContract {

    static Stream<Operation> calls() {
        return Stream.of(Operation.values());
    }
}
