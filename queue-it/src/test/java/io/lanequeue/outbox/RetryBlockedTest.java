package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.CallAgainException;
import io.lanequeue.schema.EventId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryBlockedTest extends OutboxFixture {

    private final OutboxOperator operator = new OutboxOperator();

    @Test
    void makesABlockedLaneClaimableAtOnceAndKeepsTheError() {
        EventId head = blocked(1, 10);
        assertThat(claim(dsl, 10, 1).isEmpty()).isTrue();

        assertThat(operator.retryBlocked(dsl, lane(1), head)).isTrue();

        LeasedLane again = claimOne(dsl, 1);
        assertThat(ids(again)).containsExactly(head);
        assertThat(again.attempts()).isEqualTo(1);
        assertThat(again.lastError()).isEqualTo("poison");
    }

    @Test
    void theErrorGoesWithTheNextOutcome() {
        EventId head = blocked(1, 10);
        append(dsl, 1, 11);
        operator.retryBlocked(dsl, lane(1), head);
        consumer.complete(dsl, claim(dsl, 10, 1));

        assertThat(claimOne(dsl, 1).lastError()).isNull();
    }

    @Test
    void leavesALaneAloneThatIsNotBlocked() {
        EventId ready = append(dsl, 1, 1);
        assertThat(operator.retryBlocked(dsl, lane(1), ready)).as("ready").isFalse();

        LeasedLane leased = claimOne(dsl, 1);
        assertThat(operator.retryBlocked(dsl, lane(1), ready)).as("leased").isFalse();
        assertThat(head(1).orElseThrow().getLeaseId()).isEqualTo(leased.lease().id());

        consumer.finish(dsl, List.of(LaneOutcome.retry(leased, ready, Duration.ofHours(1), "no route")));
        assertThat(operator.retryBlocked(dsl, lane(1), ready)).as("backing off").isFalse();
        assertThat(claim(dsl, 10, 1).isEmpty()).isTrue();
    }

    @Test
    void leavesALaneAloneThatIsBlockedOnAnotherEvent() {
        blocked(1, 10);
        EventId behind = append(dsl, 1, 11);
        EventId elsewhere = append(dsl, 2, 1);
        consumer.complete(dsl, claim(dsl, 10, 1));

        assertThat(operator.retryBlocked(dsl, lane(1), behind)).isFalse();
        assertThat(operator.retryBlocked(dsl, lane(1), elsewhere)).isFalse();
        assertThat(operator.retryBlocked(dsl, lane(9), behind)).isFalse();
        assertThat(claim(dsl, 10, 1).isEmpty()).isTrue();
    }

    @Test
    void ofTwoAtOnceOneRetriesAndTheOtherIsTold() {
        EventId head = blocked(1, 10);
        Session first = db.begin(Isolation.READ_COMMITTED);
        Session second = db.begin(Isolation.READ_COMMITTED);

        boolean one = operator.retryBlocked(first.dsl(), lane(1), head);
        var waiting = second.start(context -> operator.retryBlocked(context, lane(1), head))
                .awaitWaiting();
        first.commit();

        assertThat(one).isTrue();
        assertThat(waiting.get()).isFalse();
    }

    @Test
    void saysSoWhenALowerEventBecomesTheHeadMeanwhile() {
        EventId head = blocked(1, 10);
        Session producing = db.begin(Isolation.READ_COMMITTED);
        EventId lower = append(producing.dsl(), 1, 5);

        var waiting = db.open()
                .start(context -> operator.retryBlocked(context, lane(1), head))
                .awaitWaiting();
        producing.commit();

        assertThat(waiting.get()).isFalse();
        assertThat(ids(claimOne(dsl, 2))).containsExactly(lower, head);
    }

    @Test
    void doesNotWaitForAnOpenAppendBehindTheHead() {
        EventId head = blocked(1, 10);
        Session producing = db.begin(Isolation.READ_COMMITTED);
        append(producing.dsl(), 1, 11);

        assertThat(operator.retryBlocked(dsl, lane(1), head)).isTrue();
    }

    @Test
    void isToBeCalledAgainAboveReadCommittedWhenTheHeadChangedMeanwhile() {
        EventId head = blocked(1, 10);
        Session old = db.begin(Isolation.REPEATABLE_READ).snapshot();
        operator.retryBlocked(dsl, lane(1), head);

        assertThatThrownBy(() -> operator.retryBlocked(old.dsl(), lane(1), head))
                .isInstanceOf(CallAgainException.class)
                .hasMessageContaining("40001")
                .hasMessageContaining("call again");
    }

    @Test
    void aRetryThatIsRolledBackLeavesTheLaneBlocked() {
        EventId head = blocked(1, 10);
        Session session = db.begin(Isolation.READ_COMMITTED);
        operator.retryBlocked(session.dsl(), lane(1), head);
        session.rollback();

        assertThat(claim(dsl, 10, 1).isEmpty()).isTrue();
        assertThat(operator.retryBlocked(dsl, lane(1), head)).isTrue();
    }

    private EventId blocked(long user, int pts) {
        EventId event = append(dsl, user, pts);
        consumer.finish(dsl, List.of(LaneOutcome.block(claimOne(dsl, 1), event, "poison")));
        return event;
    }
}
