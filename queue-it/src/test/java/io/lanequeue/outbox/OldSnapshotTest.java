package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lanequeue.CallAgainException;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A transaction that appends in front of a head which its snapshot has, but which is gone, sees two heads of the lane:
 * that one and the one it makes.
 */
class OldSnapshotTest extends OutboxFixture {

    /** Taken out: the fence of the plain look at the head. The call then fails for good, with SQLSTATE 21000. */
    @ParameterizedTest
    @EnumSource(names = {"REPEATABLE_READ", "SERIALIZABLE"})
    void aLaneWithTwoHeadsIsFinishedInANewTransaction(Isolation isolation) {
        append(dsl, 1, 2);
        LeasedLane drained = claimOne(dsl, 1);
        Session old = db.begin(isolation);
        old.dsl().fetch("select 1");
        consumer.finish(dsl, List.of(LaneOutcome.completed(drained)));
        append(old.dsl(), 1, 1);
        LeasedLane lane = claimOne(old.dsl(), 1);
        LaneOutcome failed = LaneOutcome.retry(lane, lane.events().get(0).id(), Duration.ZERO, "failed");

        assertThatExceptionOfType(CallAgainException.class)
                .isThrownBy(() -> consumer.finish(old.dsl(), List.of(failed)));
    }
}
