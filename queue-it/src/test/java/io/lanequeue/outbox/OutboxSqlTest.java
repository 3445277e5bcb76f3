package io.lanequeue.outbox;

import io.lanequeue.testing.SqlContract;
import java.util.stream.Stream;

/** What each call sends, kept as SQL. */
class OutboxSqlTest extends SqlContract {

    static Stream<Operation> calls() {
        return Stream.of(Operation.values());
    }
}
