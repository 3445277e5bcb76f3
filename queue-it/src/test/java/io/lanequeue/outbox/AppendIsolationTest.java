package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.CallAgainException;
import io.lanequeue.schema.EventId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Appends above READ COMMITTED: what happened to the lane since the transaction's snapshot decides. */
class AppendIsolationTest extends OutboxFixture {

    @ParameterizedTest
    @EnumSource(names = "READ_COMMITTED", mode = EnumSource.Mode.EXCLUDE)
    void isToBeCalledAgainWhenTheLaneWasDrained(Isolation isolation) {
        append(dsl, 1, 1);
        Session old = db.begin(isolation).snapshot();
        drain(dsl);

        assertThatThrownBy(() -> append(old.dsl(), 1, 2))
                .isInstanceOfSatisfying(
                        CallAgainException.class, e -> assertThat(e.sqlState()).isEqualTo("40001"));
        old.rollback();

        EventId again = append(old.dsl(), 1, 2);
        old.commit();
        assertThat(ids(claimOne(dsl, 5))).containsExactly(again);
    }

    @ParameterizedTest
    @EnumSource(names = "READ_COMMITTED", mode = EnumSource.Mode.EXCLUDE)
    void isToBeCalledAgainWhenTheLaneGotItsFirstEvent(Isolation isolation) {
        Session old = db.begin(isolation).snapshot();
        EventId first = append(dsl, 1, 1);

        assertThatThrownBy(() -> append(old.dsl(), 1, 2)).isInstanceOf(CallAgainException.class);
        old.rollback();

        assertThat(eventsOf(1)).containsExactly(first);
    }

    @ParameterizedTest
    @EnumSource(names = "READ_COMMITTED", mode = EnumSource.Mode.EXCLUDE)
    void isToBeCalledAgainWhenTheHeadWasLowered(Isolation isolation) {
        append(dsl, 1, 10);
        Session old = db.begin(isolation).snapshot();
        append(dsl, 1, 5);

        assertThatThrownBy(() -> append(old.dsl(), 1, 7)).isInstanceOf(CallAgainException.class);
    }

    @ParameterizedTest
    @EnumSource
    void survivesAClaimOfTheLane(Isolation isolation) {
        EventId first = append(dsl, 1, 1);
        Session old = db.begin(isolation).snapshot();
        LeasedLane leased = claimOne(dsl, 1);

        EventId second = append(old.dsl(), 1, 2);
        old.commit();

        assertThat(consumer.finish(dsl, List.of(LaneOutcome.completed(leased)))
                        .get(0)
                        .deleted())
                .containsExactly(first);
        assertThat(ids(claimOne(dsl, 5))).containsExactly(second);
    }

    @ParameterizedTest
    @EnumSource
    void reachesALaneThatIsDrainedWhileTheAppendIsOpen(Isolation isolation) {
        EventId first = append(dsl, 1, 1);
        Session producing = db.begin(isolation);
        EventId open = append(producing.dsl(), 1, 2);

        assertThat(drain(dsl)).extracting(Event::id).containsExactly(first);
        producing.commit();

        // The emptied lane's head backs off for a moment at most; a claim at a later moment needs no waiting.
        OutboxConsumer later = OutboxConsumer.at(ByHand.clock(dsl).plusSeconds(2));
        assertThat(later.claim(dsl, request(10, 5)).events())
                .extracting(Event::id)
                .containsExactly(open);
    }
}
