package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.CallAgainException;
import io.lanequeue.schema.EventId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

class AppendTest extends OutboxFixture {

    @Test
    void givesALaneItsHead() {
        EventId event = append(dsl, 1, 7);

        assertThat(eventsOf(1)).containsExactly(event);
        assertThat(head(1).orElseThrow().getHeadId()).isEqualTo(event);
        assertThat(head(1).orElseThrow().getHeadPts()).isEqualTo(7);
    }

    @Test
    void takesTheSmallestAndTheLargestValues() {
        producer.append(dsl, NewEvent.of(0, 0, "t", "0"));
        producer.append(dsl, NewEvent.of(Long.MAX_VALUE, Integer.MAX_VALUE, "t".repeat(200), "{}"));

        Claim claim = claim(dsl, 10, 1);

        assertThat(claim.events()).extracting(Event::pts).containsExactly(0, Integer.MAX_VALUE);
        assertThat(claim.lanes())
                .extracting(lane -> lane.lease().lane())
                .containsExactly(lane(0), lane(Long.MAX_VALUE));
    }

    @Test
    void returnsIdsInTheOrderOfTheList() {
        List<NewEvent> events = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            events.add(NewEvent.of(i * 7 % 13, 100 - i % 10, "message", "{\"i\": " + i + "}"));
        }

        List<EventId> ids = producer.appendAll(dsl, events);

        assertThat(ids).hasSize(500).doesNotHaveDuplicates();
        List<Event> stored = new ArrayList<>(claim(dsl, 100, 1000).events());
        assertThat(stored).hasSize(500).allSatisfy(event -> {
            NewEvent given = events.get(ids.indexOf(event.id()));
            assertThat(event.payload()).isEqualTo(given.payload());
            assertThat(event.targetUserId()).isEqualTo(given.targetUserId());
            assertThat(event.pts()).isEqualTo(given.pts());
        });
    }

    @Test
    void eventsOfEqualPositionAreDeliveredInTheOrderOfTheList() {
        List<NewEvent> events =
                IntStream.range(0, 100).mapToObj(i -> event(1, 7)).toList();

        List<EventId> ids = producer.appendAll(dsl, events);

        assertThat(ids).isSorted();
        assertThat(ids(claimOne(dsl, 100))).isEqualTo(ids);
    }

    @Test
    void theLowestEventOfAListIsTheHeadOfItsLane() {
        List<EventId> ids = producer.appendAll(dsl, List.of(event(1, 9), event(2, 4), event(1, 3), event(1, 3)));

        assertThat(head(1).orElseThrow().getHeadId()).isEqualTo(ids.get(2));
        assertThat(head(2).orElseThrow().getHeadId()).isEqualTo(ids.get(1));
    }

    @Test
    void appendsToManyLanesAtOnce() {
        List<EventId> ids = producer.appendAll(
                dsl, IntStream.range(0, 5_000).mapToObj(user -> event(user, 1)).toList());

        assertThat(claim(dsl, 10_000, 1).events()).extracting(Event::id).isEqualTo(ids);
        assertThat(new OutboxAudit().disagreements(dsl, 1)).isEmpty();
    }

    @Test
    void aLowerEventBecomesTheHeadAndReleasesTheLane() {
        EventId poison = append(dsl, 1, 10);
        consumer.finish(dsl, List.of(LaneOutcome.block(claimOne(dsl, 1), poison, "poison")));

        EventId lower = append(dsl, 1, 5);

        LeasedLane lane = claimOne(dsl, 5);
        assertThat(ids(lane)).containsExactly(lower, poison);
        assertThat(lane.attempts()).isEqualTo(1);
        assertThat(lane.lastError()).isNull();
    }

    @Test
    void aLowerEventLeavesALeaseAlone() {
        EventId first = append(dsl, 1, 10);
        LeasedLane leased = claimOne(dsl, 1);

        EventId lower = append(dsl, 1, 5);

        assertThat(claim(dsl, 10, 1).isEmpty()).isTrue();
        assertThat(consumer.finish(dsl, List.of(LaneOutcome.completed(leased)))
                        .get(0)
                        .deleted())
                .containsExactly(first);
        assertThat(ids(claimOne(dsl, 5))).containsExactly(lower);
    }

    @Test
    void sendsNothingForAnEmptyList() {
        assertThat(producer.appendAll(DSL.using(SQLDialect.POSTGRES), List.of()))
                .isEmpty();
    }

    @Test
    void anAppendThatIsRolledBackLeavesNothing() {
        EventId kept = append(dsl, 2, 5);
        Session session = db.begin(Isolation.READ_COMMITTED);
        append(session.dsl(), 1, 1);
        append(session.dsl(), 2, 1);
        session.rollback();

        assertThat(head(1)).isEmpty();
        assertThat(head(2).orElseThrow().getHeadId()).isEqualTo(kept);
        assertThat(drain(dsl)).extracting(Event::id).containsExactly(kept);
    }

    @Test
    void theSecondProducerOfANewLaneWaitsForTheFirst() {
        Session first = db.begin(Isolation.READ_COMMITTED);
        EventId one = append(first.dsl(), 1, 2);

        var waiting = db.open().start(context -> append(context, 1, 1)).awaitWaiting();
        first.commit();
        EventId two = waiting.get();

        assertThat(ids(claimOne(dsl, 5))).containsExactly(two, one);
    }

    @Test
    void theSecondProducerOfANewLaneGivesItItsHeadWhereTheFirstRollsBack() {
        Session first = db.begin(Isolation.READ_COMMITTED);
        append(first.dsl(), 1, 1);

        var waiting = db.open().start(context -> append(context, 1, 2)).awaitWaiting();
        first.rollback();
        EventId two = waiting.get();

        assertThat(ids(claimOne(dsl, 5))).containsExactly(two);
    }

    @Test
    void producersOfAKnownLaneDoNotWaitForEachOther() {
        EventId first = append(dsl, 1, 1);
        Session one = db.begin(Isolation.READ_COMMITTED);
        Session two = db.begin(Isolation.READ_COMMITTED);

        EventId second = append(one.dsl(), 1, 2);
        EventId third = append(two.dsl(), 1, 2);
        two.commit();
        one.commit();

        assertThat(ids(claimOne(dsl, 5))).containsExactly(first, second, third);
    }

    @Test
    void ofTwoTransactionsThatCreateLanesInOppositeOrderOneIsToBeCalledAgain() {
        Session first = db.begin(Isolation.READ_COMMITTED);
        Session second = db.begin(Isolation.READ_COMMITTED);
        append(first.dsl(), 1, 1);
        append(second.dsl(), 2, 1);

        var one = first.start(context -> outcome(first, 2)).awaitWaiting();
        var two = second.start(context -> outcome(second, 1));

        assertThat(List.of(one.get(), two.get())).containsExactlyInAnyOrder("committed", "40P01");
        assertThat(drain(dsl)).hasSize(2);
    }

    private String outcome(Session session, long user) {
        try {
            append(session.dsl(), user, 1);
            session.commit();
            return "committed";
        } catch (CallAgainException e) {
            session.rollback();
            return e.sqlState();
        }
    }

    @Test
    void oneCallCreatesItsLanesInAscendingOrder() {
        List<NewEvent> descending =
                IntStream.range(0, 200).mapToObj(user -> event(199 - user, 1)).toList();
        Session first = db.begin(Isolation.READ_COMMITTED);
        append(first.dsl(), 0, 1);

        var waiting = db.open()
                .start(context -> producer.appendAll(context, descending))
                .awaitWaiting();
        producer.appendAll(first.dsl(), descending); // a deadlock, if the other one had a later lane already
        first.commit();
        waiting.get();

        assertThat(drain(dsl)).hasSize(401);
    }
}
