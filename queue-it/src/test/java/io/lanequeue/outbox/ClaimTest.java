package io.lanequeue.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EventId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClaimTest extends OutboxFixture {

    @Test
    void returnsTheFirstEventsOfEachLaneInOrder() {
        EventId second = append(dsl, 1, 20);
        EventId first = append(dsl, 1, 10);
        EventId third = append(dsl, 1, 20);
        EventId other = append(dsl, 2, 5);

        Claim claim = claim(dsl, 10, 2);

        assertThat(claim.lanes())
                .extracting(LeasedLane::lease)
                .extracting(Lease::lane)
                .containsExactly(lane(1), lane(2));
        assertThat(ids(claim.lanes().get(0))).containsExactly(first, second);
        assertThat(ids(claim.lanes().get(1))).containsExactly(other);
        assertThat(claim.settledLanes()).isZero();
        assertThat(eventsOf(1)).containsExactly(first, second, third);
    }

    @Test
    void returnsTheEventAsItWasAppended() {
        Instant before = dsl.fetchSingle("select clock_timestamp()")
                .get(0, java.time.OffsetDateTime.class)
                .toInstant();
        producer.append(dsl, NewEvent.of(7, 3, "order.paid", "{\"id\": 1, \"text\": \"ü€𝄞 \\\"quoted\\\" {1,2}\"}"));

        LeasedLane lane = claimOne(dsl, 1);

        Event event = lane.events().get(0);
        assertThat(event.targetUserId()).isEqualTo(lane(7));
        assertThat(event.pts()).isEqualTo(3);
        assertThat(event.eventType()).isEqualTo("order.paid");
        assertThat(event.payload().data()).isEqualTo("{\"id\": 1, \"text\": \"ü€𝄞 \\\"quoted\\\" {1,2}\"}");
        assertThat(event.createdAt()).isBetween(before.minusSeconds(5), before.plusSeconds(60));
        assertThat(lane.attempts()).isEqualTo(1);
        assertThat(lane.lastError()).isNull();
        assertThat(Duration.between(before, lane.leasedUntil()))
                .isBetween(LEASE.minusSeconds(5), LEASE.plusSeconds(60));
    }

    @Test
    void returnsNothingFromAnEmptyQueue() {
        assertThat(claim(dsl, 10, 1)).isEqualTo(new Claim(List.of(), 0, null));
    }

    @Test
    void leavesLeasedLanesAlone() {
        append(dsl, 1, 1);
        claimOne(dsl, 1);

        assertThat(claim(dsl, 10, 1).isEmpty()).isTrue();
    }

    @Test
    void neverReturnsMoreLanesThanAskedFor() {
        for (int user = 0; user < 20; user++) {
            append(dsl, user, 1);
        }

        assertThat(claim(dsl, 7, 5).lanes()).hasSize(7);
        assertThat(claim(dsl, 7, 5).lanes()).hasSize(7);
        assertThat(claim(dsl, 7, 5).lanes()).hasSize(6);
    }

    @Test
    void lanesTakeTurns() {
        appendMany(1, 3);
        appendMany(2, 3);
        appendMany(3, 3);

        var served = new java.util.ArrayList<Long>();
        for (int i = 0; i < 6; i++) {
            Claim claim = claim(dsl, 1, 1);
            served.add(claim.lanes().get(0).lease().lane().value());
            consumer.complete(dsl, claim);
        }

        assertThat(served).containsExactly(1L, 2L, 3L, 1L, 2L, 3L);
    }

    @Test
    void returnsALaneAgainWhenItsLeaseIsOver() {
        append(dsl, 1, 1);
        LeasedLane first = claimOne(dsl, 1);

        OutboxConsumer later = OutboxConsumer.at(first.leasedUntil());
        LeasedLane second = later.claim(dsl, request(10, 1)).lanes().get(0);

        assertThat(second.events()).isEqualTo(first.events());
        assertThat(second.lease().id()).isGreaterThan(first.lease().id());
        assertThat(second.attempts()).isEqualTo(2);
    }

    @Test
    void twoClaimsAtOnceGetDifferentLanes() {
        for (int user = 0; user < 10; user++) {
            append(dsl, user, 1);
        }
        Session first = db.begin(Isolation.READ_COMMITTED);
        Session second = db.begin(Isolation.READ_COMMITTED);

        Claim one = claim(first.dsl(), 6, 1);
        Claim two = claim(second.dsl(), 6, 1);
        first.commit();
        second.commit();

        Set<Object> lanes = new HashSet<>();
        one.lanes().forEach(lane -> lanes.add(lane.lease().lane()));
        two.lanes().forEach(lane -> lanes.add(lane.lease().lane()));
        assertThat(one.lanes()).hasSize(6);
        assertThat(two.lanes()).hasSize(4);
        assertThat(lanes).hasSize(10);
    }

    // Taken out: SKIP LOCKED in the claim of some shards in ClaimStatement: the second claim waits for the first.
    @Test
    void twoClaimsOfTheSameShardsAtOnceGetDifferentLanes() {
        append(dsl, 3, 1);
        append(dsl, 256 + 3, 1);
        ClaimRequest one = request(1, 1).withShards(LogicalShards.of(3, 4));
        Session first = db.begin(Isolation.READ_COMMITTED);
        Session second = db.begin(Isolation.READ_COMMITTED);

        LeasedLane firstLane = consumer.claim(first.dsl(), one).lanes().get(0);
        LeasedLane secondLane = consumer.claim(second.dsl(), one).lanes().get(0);

        assertThat(secondLane.lease().lane()).isNotEqualTo(firstLane.lease().lane());
    }

    @Test
    void returnsOnlyLanesOfTheGivenShards() {
        append(dsl, 3, 1);
        append(dsl, 256 + 3, 1);
        append(dsl, 4, 1);
        append(dsl, 255, 1);

        Claim claim = consumer.claim(dsl, request(10, 1).withShards(LogicalShards.of(3, 255)));

        assertThat(claim.lanes())
                .extracting(lane -> lane.lease().lane().value())
                .containsExactly(3L, 255L, 259L);
        assertThat(claim(dsl, 10, 1).lanes())
                .extracting(lane -> lane.lease().lane().value())
                .containsExactly(4L);
    }

    @Test
    void neverReturnsMoreLanesThanAskedForOverSeveralShards() {
        for (int user = 0; user < 40; user++) {
            append(dsl, user, 1);
        }
        ClaimRequest request = request(5, 1).withShards(LogicalShards.of(0, 1, 2, 3, 4, 5, 6, 7));

        assertThat(consumer.claim(dsl, request).lanes()).hasSize(5);
        assertThat(consumer.claim(dsl, request).lanes()).hasSize(3);
        assertThat(consumer.claim(dsl, request).isEmpty()).isTrue();
    }

    @Test
    void hidesNoLaneBeyondItsLimitFromOthers() {
        for (int user = 0; user < 10; user++) {
            append(dsl, user, 1);
        }
        Session open = db.begin(Isolation.READ_COMMITTED);
        consumer.claim(open.dsl(), request(4, 1).withShards(LogicalShards.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)));

        assertThat(claim(dsl, 100, 1).lanes()).hasSize(6);
    }

    @Test
    void settlesALaneWhoseEventsAreGone() {
        EventId event = append(dsl, 1, 1);
        LeasedLane lane = claimOne(dsl, 1);
        deleteBySql(db.open(), event);
        assertThat(head(1)).as("a delete leaves a leased head alone").isPresent();
        consumer.release(dsl, List.of(lane.lease()));

        assertOnlySettled(claim(dsl, 10, 1), 1);
        assertThat(head(1)).isEmpty();
        assertThat(claim(dsl, 10, 1)).isEqualTo(new Claim(List.of(), 0, null));
    }

    @Test
    void aClaimThatIsRolledBackLeavesNoLease() {
        append(dsl, 1, 1);
        Session session = db.begin(Isolation.READ_COMMITTED);
        claimOne(session.dsl(), 1);
        session.rollback();

        assertThat(claimOne(dsl, 1).attempts()).isEqualTo(1);
    }

    @Test
    void keepsWhoHoldsTheLane() {
        append(dsl, 1, 1);
        consumer.claim(dsl, ClaimRequest.by("mail-worker-2"));

        assertThat(head(1).orElseThrow().get(DISPATCH_OUTBOX_USER_HEADS.LEASED_BY))
                .isEqualTo("mail-worker-2");
    }
}
