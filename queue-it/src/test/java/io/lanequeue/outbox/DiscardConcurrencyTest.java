package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.CallAgainException;
import io.lanequeue.schema.EventId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deletions by operators while others work on the same lane. */
class DiscardConcurrencyTest extends OutboxFixture {

    private final OutboxOperator operator = new OutboxOperator();

    @Test
    void ofTwoDeletionsOfAHeadOneHappens() {
        List<EventId> events = appendMany(1, 2);
        Session first = db.begin(Isolation.READ_COMMITTED);
        Session second = db.begin(Isolation.READ_COMMITTED);

        Discard one = operator.deleteHead(first.dsl(), lane(1), events.get(0), "first");
        var waiting = second.start(context -> operator.deleteHead(context, lane(1), events.get(0), "second"))
                .awaitWaiting();
        first.commit();
        Discard two = waiting.get();
        second.commit();

        assertThat(one.status()).isEqualTo(Discard.Status.DISCARDED);
        assertThat(two.status()).isEqualTo(Discard.Status.NOT_FOUND);
        assertThat(eventsOf(1)).containsExactly(events.get(1));
        assertThat(deadLetters()).extracting(DeadLetter::reason).containsExactly("first");
    }

    @Test
    void ofTwoDeletionsOfTheLastEventOneHappens() {
        EventId event = append(dsl, 1, 1);
        Session first = db.begin(Isolation.READ_COMMITTED);

        operator.deleteHead(first.dsl(), lane(1), event, "first");
        var waiting = db.open()
                .start(context -> operator.deleteHead(context, lane(1), event, "second"))
                .awaitWaiting();
        first.commit();

        assertThat(waiting.get()).isEqualTo(new Discard(Discard.Status.NOT_FOUND, 0));
        assertThat(deadLetters()).hasSize(1);
        assertThat(head(1)).isEmpty();
    }

    @Test
    void aDeletionHappensAfterAnotherOneThatIsRolledBack() {
        EventId event = append(dsl, 1, 1);
        Session first = db.begin(Isolation.READ_COMMITTED);

        operator.deleteHead(first.dsl(), lane(1), event, "first");
        var waiting = db.open()
                .start(context -> operator.deleteHead(context, lane(1), event, "second"))
                .awaitWaiting();
        first.rollback();

        assertThat(waiting.get().status()).isEqualTo(Discard.Status.DISCARDED);
        assertThat(deadLetters()).extracting(DeadLetter::reason).containsExactly("second");
    }

    @Test
    void ofTwoDeletionsOfALaneOneHappens() {
        appendMany(1, 3);
        Session first = db.begin(Isolation.READ_COMMITTED);

        Discard one = operator.deleteLane(first.dsl(), lane(1), "first");
        var waiting = db.open()
                .start(context -> operator.deleteLane(context, lane(1), "second"))
                .awaitWaiting();
        first.commit();

        assertThat(one).isEqualTo(new Discard(Discard.Status.DISCARDED, 3));
        assertThat(waiting.get()).isEqualTo(new Discard(Discard.Status.NOT_FOUND, 0));
        assertThat(deadLetters()).extracting(DeadLetter::reason).containsOnly("first");
    }

    @Test
    void deletingTheLaneWaitsForADeletionOfItsHeadAndTakesTheRest() {
        List<EventId> events = appendMany(1, 3);
        Session first = db.begin(Isolation.READ_COMMITTED);

        operator.deleteHead(first.dsl(), lane(1), events.get(0), "head");
        var waiting = db.open()
                .start(context -> operator.deleteLane(context, lane(1), "lane"))
                .awaitWaiting();
        first.commit();

        assertThat(waiting.get()).isEqualTo(new Discard(Discard.Status.DISCARDED, 2));
        assertThat(deadLetters()).extracting(DeadLetter::reason).containsExactly("head", "lane", "lane");
        assertThat(head(1)).isEmpty();
    }

    @Test
    void waitsForAnOpenClaimAndThenFindsTheLaneLeased() {
        EventId event = append(dsl, 1, 1);
        Session worker = db.begin(Isolation.READ_COMMITTED);
        claimOne(worker.dsl(), 1);

        var waiting = db.open()
                .start(context -> operator.deleteHead(context, lane(1), event, "test"))
                .awaitWaiting();
        worker.commit();

        assertThat(waiting.get()).isEqualTo(new Discard(Discard.Status.LEASED, 0));
        assertThat(eventsOf(1)).containsExactly(event);
    }

    /** An operator who keeps the transaction open and tries again must not keep the worker from reporting. */
    @Test
    void locksNothingOfALeasedLane() {
        List<EventId> events = appendMany(1, 2);
        LeasedLane leased = claimOne(dsl, 1);
        Session operating = db.begin(Isolation.READ_COMMITTED);
        Discard leasedTo = new Discard(Discard.Status.LEASED, 0);
        assertThat(operator.deleteHead(operating.dsl(), lane(1), events.get(0), "test"))
                .isEqualTo(leasedTo);
        assertThat(operator.deleteLane(operating.dsl(), lane(1), "test")).isEqualTo(leasedTo);

        List<LaneReport> reports = consumer.finish(dsl, List.of(LaneOutcome.completed(leased)));

        assertThat(reports).extracting(LaneReport::status).containsExactly(LaneReport.Status.FINISHED);
        assertThat(eventsOf(1)).containsExactly(events.get(1));
    }

    @Test
    void doesNotWaitForAnOpenOutcome() {
        List<EventId> events = appendMany(1, 2);
        LeasedLane leased = claimOne(dsl, 1);
        Session worker = db.begin(Isolation.READ_COMMITTED);
        consumer.finish(worker.dsl(), List.of(LaneOutcome.completed(leased)));

        assertThat(operator.deleteHead(dsl, lane(1), events.get(0), "test").status())
                .isEqualTo(Discard.Status.LEASED);
        worker.commit();

        assertThat(operator.deleteHead(dsl, lane(1), events.get(0), "test").status())
                .isEqualTo(Discard.Status.NOT_FOUND);
        assertThat(eventsOf(1)).containsExactly(events.get(1));
    }

    @Test
    void waitsForAnOpenOutcomeUnderALeaseWhoseTimeIsOverAndThenFindsAnotherHead() {
        List<EventId> events = appendMany(1, 2);
        LeasedLane leased = claimOne(dsl, 1);
        ByHand.expireLease(dsl, 1);
        Session worker = db.begin(Isolation.READ_COMMITTED);
        consumer.finish(worker.dsl(), List.of(LaneOutcome.completed(leased)));

        var waiting = db.open()
                .start(context -> operator.deleteHead(context, lane(1), events.get(0), "test"))
                .awaitWaiting();
        worker.commit();

        assertThat(waiting.get().status()).isEqualTo(Discard.Status.NOT_FOUND);
        assertThat(eventsOf(1)).containsExactly(events.get(1));
    }

    @Test
    void anOutcomeWaitsForAnOpenDeletionAndThenFindsTheLeaseLost() {
        List<EventId> events = appendMany(1, 2);
        LeasedLane leased = claimOne(dsl, 2);
        ByHand.expireLease(dsl, 1);
        Session deleting = db.begin(Isolation.READ_COMMITTED);
        operator.deleteHead(deleting.dsl(), lane(1), events.get(0), "test");

        var waiting = db.open()
                .start(context -> consumer.finish(context, List.of(LaneOutcome.completed(leased))))
                .awaitWaiting();
        deleting.commit();

        assertThat(waiting.get()).extracting(LaneReport::status).containsExactly(LaneReport.Status.LEASE_LOST);
        assertThat(eventsOf(1)).containsExactly(events.get(1));
    }

    @Test
    void doesNotWaitForAnOpenAppendAndLosesNothingOfIt() {
        EventId event = append(dsl, 1, 1);
        Session producing = db.begin(Isolation.READ_COMMITTED);
        EventId open = append(producing.dsl(), 1, 2);

        assertThat(operator.deleteHead(dsl, lane(1), event, "test").status()).isEqualTo(Discard.Status.DISCARDED);
        producing.commit();

        assertThat(drain(dsl)).extracting(Event::id).containsExactly(open);
        assertThat(head(1)).isEmpty();
    }

    @Test
    void deletingALaneDoesNotWaitForAnOpenAppendAndLosesNothingOfIt() {
        appendMany(1, 3);
        Session producing = db.begin(Isolation.READ_COMMITTED);
        EventId open = append(producing.dsl(), 1, 4);

        assertThat(operator.deleteLane(dsl, lane(1), "test").events()).isEqualTo(3);
        producing.commit();

        assertThat(drain(dsl)).extracting(Event::id).containsExactly(open);
    }

    @Test
    void waitsForAnOpenAppendThatLowersTheHead() {
        EventId event = append(dsl, 1, 10);
        Session producing = db.begin(Isolation.READ_COMMITTED);
        EventId lower = append(producing.dsl(), 1, 5);

        var waiting = db.open()
                .start(context -> operator.deleteHead(context, lane(1), event, "test"))
                .awaitWaiting();
        producing.commit();

        assertThat(waiting.get().status()).isEqualTo(Discard.Status.NOT_FOUND);
        assertThat(eventsOf(1)).containsExactly(lower, event);
    }

    @Test
    void deletingALaneKeepsAnEventThatWasNotVisibleWhenItBegan() {
        appendMany(1, 3);
        Session producing = db.begin(Isolation.READ_COMMITTED);
        EventId lower = append(producing.dsl(), 1, 0);

        var waiting = db.open()
                .start(context -> operator.deleteLane(context, lane(1), "test"))
                .awaitWaiting();
        producing.commit();

        assertThat(waiting.get()).isEqualTo(new Discard(Discard.Status.DISCARDED, 3));
        assertThat(ids(claimOne(dsl, 5))).containsExactly(lower);
    }

    @Test
    void aProducerWaitsForAnOpenDeletionOfTheLastEventAndGetsAHead() {
        EventId event = append(dsl, 1, 1);
        Session deleting = db.begin(Isolation.READ_COMMITTED);
        operator.deleteHead(deleting.dsl(), lane(1), event, "test");

        var waiting = db.open().start(context -> append(context, 1, 2)).awaitWaiting();
        deleting.commit();
        EventId appended = waiting.get();

        assertThat(ids(claimOne(dsl, 5))).containsExactly(appended);
    }

    @Test
    void aboveReadCommittedTheHeadOfAnEmptiedLaneStaysUntilAClaimSettlesIt() {
        for (Isolation isolation : List.of(Isolation.REPEATABLE_READ, Isolation.SERIALIZABLE)) {
            EventId event = append(dsl, 1, 1);
            Session session = db.begin(isolation);
            assertThat(operator.deleteHead(session.dsl(), lane(1), event, "test")
                            .status())
                    .isEqualTo(Discard.Status.DISCARDED);
            session.commit();

            assertThat(head(1).orElseThrow().getHeadId()).isEqualTo(event);
            assertOnlySettled(claim(dsl, 10, 1), 1);
            assertThat(head(1)).isEmpty();
        }
    }

    @Test
    void aboveReadCommittedAnAppendThatWasOpenKeepsItsHead() {
        EventId event = append(dsl, 1, 1);
        Session producing = db.begin(Isolation.READ_COMMITTED);
        EventId open = append(producing.dsl(), 1, 2);
        Session deleting = db.begin(Isolation.REPEATABLE_READ);

        operator.deleteLane(deleting.dsl(), lane(1), "test");
        deleting.commit();
        producing.commit();

        assertThat(deadLetters()).extracting(letter -> letter.event().id()).containsExactly(event);
        assertThat(ids(claimOne(dsl, 5))).containsExactly(open);
    }

    @Test
    void isToBeCalledAgainAboveReadCommittedWhenTheHeadChangedMeanwhile() {
        List<EventId> events = appendMany(1, 2);
        Session old = db.begin(Isolation.REPEATABLE_READ).snapshot();
        operator.deleteHead(dsl, lane(1), events.get(0), "test");

        assertThatThrownBy(() -> operator.deleteHead(old.dsl(), lane(1), events.get(0), "late"))
                .isInstanceOf(CallAgainException.class);
    }

    private List<DeadLetter> deadLetters() {
        return operator.deadLetters(dsl, DeadLetterQuery.ofAll());
    }
}
