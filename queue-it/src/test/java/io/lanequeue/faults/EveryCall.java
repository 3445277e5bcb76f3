package io.lanequeue.faults;

import static org.junit.jupiter.api.Named.named;

import io.lanequeue.effects.EffectOperation;
import io.lanequeue.outbox.Operation;
import io.lanequeue.testing.QueueCall;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/** Every public call of both queues that reaches the database, as the arguments of tests. */
final class EveryCall {

    static final String CHANGES = "io.lanequeue.faults.EveryCall#changes";
    static final String LOOKS = "io.lanequeue.faults.EveryCall#looks";

    private EveryCall() {}

    /** Those that change something. */
    static Stream<Named<QueueCall>> changes() {
        return all().filter(call -> !call.getPayload().isReadOnly());
    }

    /** Those that change nothing. */
    static Stream<Named<QueueCall>> looks() {
        return all().filter(call -> call.getPayload().isReadOnly());
    }

    private static Stream<Named<QueueCall>> all() {
        return Stream.concat(
                Stream.of(Operation.values()).map(call -> named("outbox " + call, call)),
                Stream.of(EffectOperation.values()).map(call -> named("effects " + call, call)));
    }
}
