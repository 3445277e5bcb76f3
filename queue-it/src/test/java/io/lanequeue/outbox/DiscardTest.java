package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EventId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@link OutboxOperator#deleteHead} and {@link OutboxOperator#deleteLane} do, and in which states. */
class DiscardTest extends OutboxFixture {

    private static final Discard ONE = new Discard(Discard.Status.DISCARDED, 1);
    private static final Discard LEASED = new Discard(Discard.Status.LEASED, 0);
    private static final Discard NOT_FOUND = new Discard(Discard.Status.NOT_FOUND, 0);

    private final OutboxOperator operator = new OutboxOperator();

    @Test
    void aDeletedHeadIsKeptWithItsAttemptsErrorAndReason() {
        List<EventId> events = appendMany(1, 2);
        Event head = block("poison").events().get(0);
        var before = ByHand.clock(dsl);

        assertThat(operator.deleteHead(dsl, lane(1), events.get(0), "wrong address"))
                .isEqualTo(ONE);

        DeadLetter kept = deadLetters().get(0);
        assertThat(kept.event()).isEqualTo(head);
        assertThat(kept.attempts()).isEqualTo(1);
        assertThat(kept.lastError()).isEqualTo("poison");
        assertThat(kept.reason()).isEqualTo("wrong address");
        assertThat(kept.discardedAt()).isBetween(before, ByHand.clock(dsl));
        assertThat(deadLetters()).hasSize(1);
        assertThat(eventsOf(1)).containsExactly(events.get(1));
    }

    @Test
    void theNextEventIsTheHeadAndStartsAfresh() {
        List<EventId> events = appendMany(1, 2);
        block("poison");

        operator.deleteHead(dsl, lane(1), events.get(0), "wrong address");

        LeasedLane next = claimOne(dsl, 1);
        assertThat(ids(next)).containsExactly(events.get(1));
        assertThat(next.attempts()).isEqualTo(1);
        assertThat(next.lastError()).isNull();
    }

    @Test
    void deletesTheHeadOfAReadyLane() {
        EventId event = append(dsl, 1, 1);

        assertThat(operator.deleteHead(dsl, lane(1), event, "test")).isEqualTo(ONE);
        assertThat(head(1)).isEmpty();
    }

    @Test
    void deletesTheHeadOfALaneThatBacksOff() {
        List<EventId> events = appendMany(1, 2);
        consumer.finish(
                dsl, List.of(LaneOutcome.retry(claimOne(dsl, 1), events.get(0), Duration.ofHours(1), "no route")));

        assertThat(operator.deleteHead(dsl, lane(1), events.get(0), "test")).isEqualTo(ONE);
        assertThat(ids(claimOne(dsl, 1))).containsExactly(events.get(1));
    }

    @Test
    void deletesTheHeadUnderALeaseWhoseTimeIsOverAndEndsTheLease() {
        List<EventId> events = appendMany(1, 2);
        LeasedLane leased = claimOne(dsl, 2);
        ByHand.expireLease(dsl, 1);

        assertThat(operator.deleteHead(dsl, lane(1), events.get(0), "test")).isEqualTo(ONE);

        assertThat(consumer.finish(dsl, List.of(LaneOutcome.completed(leased))))
                .extracting(LaneReport::status)
                .containsExactly(LaneReport.Status.LEASE_LOST);
        LeasedLane next = claimOne(dsl, 2);
        assertThat(ids(next)).containsExactly(events.get(1));
        assertThat(next.attempts()).isEqualTo(1);
    }

    @Test
    void leavesALaneAloneThatAWorkerHolds() {
        List<EventId> events = appendMany(1, 2);
        LeasedLane leased = claimOne(dsl, 1);

        assertThat(operator.deleteHead(dsl, lane(1), events.get(0), "test")).isEqualTo(LEASED);
        assertThat(operator.deleteLane(dsl, lane(1), "test")).isEqualTo(LEASED);

        assertThat(eventsOf(1)).isEqualTo(events);
        assertThat(deadLetters()).isEmpty();
        assertThat(consumer.finish(dsl, List.of(LaneOutcome.completed(leased))))
                .extracting(LaneReport::status)
                .containsExactly(LaneReport.Status.FINISHED);
    }

    @Test
    void neverDeletesAnotherEventThanTheHead() {
        List<EventId> events = appendMany(1, 2);
        EventId elsewhere = append(dsl, 2, 1);

        assertThat(operator.deleteHead(dsl, lane(1), events.get(1), "test")).isEqualTo(NOT_FOUND);
        assertThat(operator.deleteHead(dsl, lane(1), elsewhere, "test")).isEqualTo(NOT_FOUND);
        assertThat(operator.deleteHead(dsl, lane(9), events.get(0), "test")).isEqualTo(NOT_FOUND);

        assertThat(eventsOf(1)).isEqualTo(events);
        assertThat(eventsOf(2)).containsExactly(elsewhere);
        assertThat(deadLetters()).isEmpty();
    }

    @Test
    void findsNoHeadWhoseEventIsGone() {
        EventId event = append(dsl, 1, 1);
        LeasedLane leased = claimOne(dsl, 1);
        deleteBySql(db.open(), event);
        consumer.release(dsl, List.of(leased.lease()));

        assertThat(operator.deleteHead(dsl, lane(1), event, "test")).isEqualTo(NOT_FOUND);
        assertThat(operator.deleteLane(dsl, lane(1), "test")).isEqualTo(NOT_FOUND);
        assertThat(deadLetters()).isEmpty();
    }

    @Test
    void changesNothingWhereItFindsNothingThoughALeaseIsOver() {
        EventId event = append(dsl, 1, 1);
        LeasedLane leased = claimOne(dsl, 1);
        deleteBySql(db.open(), event);
        ByHand.expireLease(dsl, 1);

        assertThat(operator.deleteHead(dsl, lane(1), event, "test")).isEqualTo(NOT_FOUND);
        assertThat(operator.deleteLane(dsl, lane(1), "test")).isEqualTo(NOT_FOUND);

        assertThat(consumer.extend(dsl, List.of(leased.lease()), LEASE)).containsOnlyKeys(leased.lease());
    }

    @Test
    void deletesAnEntireLaneAndNoOther() {
        List<EventId> events = appendMany(1, 5);
        List<EventId> others = appendMany(2, 2);

        assertThat(operator.deleteLane(dsl, lane(1), "account closed"))
                .isEqualTo(new Discard(Discard.Status.DISCARDED, 5));

        assertThat(eventsOf(1)).isEmpty();
        assertThat(head(1)).isEmpty();
        assertThat(eventsOf(2)).isEqualTo(others);
        assertThat(deadLetters()).extracting(letter -> letter.event().id()).isEqualTo(events);
        assertThat(deadLetters()).extracting(DeadLetter::reason).containsOnly("account closed");
    }

    @Test
    void attemptsAndErrorOfADeletedLaneAreKeptWithItsHeadOnly() {
        appendMany(1, 2);
        block("poison");

        operator.deleteLane(dsl, lane(1), "account closed");

        assertThat(deadLetters()).extracting(DeadLetter::attempts).containsExactly(1, 0);
        assertThat(deadLetters()).extracting(DeadLetter::lastError).containsExactly("poison", null);
    }

    @Test
    void deletesALaneUnderALeaseWhoseTimeIsOver() {
        appendMany(1, 3);
        LeasedLane leased = claimOne(dsl, 1);
        ByHand.expireLease(dsl, 1);

        assertThat(operator.deleteLane(dsl, lane(1), "test")).isEqualTo(new Discard(Discard.Status.DISCARDED, 3));

        assertThat(consumer.extend(dsl, List.of(leased.lease()), LEASE)).isEmpty();
        // It has ended the lease, so it may not remove the head (ADR 18).
        assertThat(claim(dsl, 10, 1).settledLanes()).isEqualTo(1);
        assertThat(head(1)).isEmpty();
    }

    @Test
    void findsNoLaneWithoutEvents() {
        assertThat(operator.deleteLane(dsl, lane(9), "test")).isEqualTo(NOT_FOUND);
    }

    @Test
    void aDeletedLaneGoesOnWithWhatIsAppendedLater() {
        appendMany(1, 2);
        block("poison");
        operator.deleteLane(dsl, lane(1), "test");

        EventId later = append(dsl, 1, 1);

        assertThat(ids(claimOne(dsl, 5))).containsExactly(later);
    }

    @Test
    void aDeletionThatIsRolledBackLeavesEverything() {
        List<EventId> events = appendMany(1, 2);
        block("poison");
        var before = head(1);
        Session session = db.begin(Isolation.READ_COMMITTED);

        operator.deleteHead(session.dsl(), lane(1), events.get(0), "test");
        operator.deleteLane(session.dsl(), lane(1), "test");
        session.rollback();

        assertThat(eventsOf(1)).isEqualTo(events);
        assertThat(head(1)).isEqualTo(before);
        assertThat(deadLetters()).isEmpty();
    }

    /** Blocks the one lane that is available. */
    private LeasedLane block(String error) {
        LeasedLane leased = claimOne(dsl, 1);
        consumer.finish(dsl, List.of(LaneOutcome.block(leased, ids(leased).get(0), error)));
        return leased;
    }

    private List<DeadLetter> deadLetters() {
        return operator.deadLetters(dsl, DeadLetterQuery.ofAll());
    }
}
