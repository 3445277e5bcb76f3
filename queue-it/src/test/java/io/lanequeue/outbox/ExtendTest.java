package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.CallAgainException;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.LeaseId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

class ExtendTest extends OutboxFixture {

    private static final Duration LONGER = Duration.ofHours(3);

    @Test
    void letsALeaseRunFromNowOn() {
        append(dsl, 1, 1);
        Lease lease = claimOne(dsl, 1).lease();
        Instant before = ByHand.clock(dsl);

        Map<Lease, Instant> extended = consumer.extend(dsl, List.of(lease), LONGER);

        assertThat(extended).containsOnlyKeys(lease);
        assertThat(extended.get(lease))
                .isBetween(before.plus(LONGER), ByHand.clock(dsl).plus(LONGER))
                .isEqualTo(head(1).orElseThrow().getAvailableAt());
        assertThat(head(1).orElseThrow().getAttempts()).isEqualTo(1);
    }

    @Test
    void nobodyElseGetsTheLaneBeforeTheNewEnd() {
        append(dsl, 1, 1);
        LeasedLane leased = claimOne(dsl, 1);
        Instant end = Objects.requireNonNull(
                consumer.extend(dsl, List.of(leased.lease()), LONGER).get(leased.lease()));

        assertThat(OutboxConsumer.at(end.minusMillis(1))
                        .claim(dsl, request(10, 1))
                        .isEmpty())
                .isTrue();
        assertThat(OutboxConsumer.at(end).claim(dsl, request(10, 1)).lanes()).hasSize(1);
    }

    @Test
    void makesALeaseShorter() {
        append(dsl, 1, 1);
        Lease lease = claimOne(dsl, 1).lease();
        Instant now = ByHand.clock(dsl);

        assertThat(OutboxConsumer.at(now).extend(dsl, List.of(lease), Duration.ofMillis(1)))
                .containsExactly(Map.entry(lease, now.plusMillis(1)));
    }

    @Test
    void extendsABatchAndLeavesOutWhatIsLost() {
        for (int user = 1; user <= 4; user++) {
            append(dsl, user, 1);
        }
        List<Lease> leases =
                claim(dsl, 10, 1).lanes().stream().map(LeasedLane::lease).toList();
        consumer.release(dsl, List.of(leases.get(1)));
        consumer.release(dsl, List.of(leases.get(2)));
        claim(dsl, 1, 1);

        assertThat(consumer.extend(dsl, leases, LONGER)).containsOnlyKeys(leases.get(0), leases.get(3));
    }

    @Test
    void leavesTheLaneOfALostLeaseAlone() {
        append(dsl, 1, 1);
        Lease lost = claimOne(dsl, 1).lease();
        ByHand.expireLease(dsl, 1);
        claimOne(dsl, 1);
        var before = head(1);

        assertThat(consumer.extend(dsl, List.of(lost), LONGER)).isEmpty();
        assertThat(head(1)).isEqualTo(before);
    }

    @Test
    void knowsALeaseByLaneAndNumber() {
        append(dsl, 1, 1);
        Lease lease = claimOne(dsl, 1).lease();

        assertThat(consumer.extend(dsl, List.of(new Lease(lane(2), lease.id())), LONGER))
                .isEmpty();
        assertThat(consumer.extend(
                        dsl, List.of(new Lease(lane(1), new LeaseId(lease.id().value() + 1))), LONGER))
                .isEmpty();
    }

    @Test
    void aLeaseWhoseTimeIsOverIsGoodAgain() {
        append(dsl, 1, 1);
        LeasedLane leased = claimOne(dsl, 1);
        ByHand.expireLease(dsl, 1);

        assertThat(consumer.extend(dsl, List.of(leased.lease()), LONGER)).containsOnlyKeys(leased.lease());

        assertThat(claim(dsl, 10, 1).isEmpty()).isTrue();
        assertThat(consumer.finish(dsl, List.of(LaneOutcome.completed(leased)))
                        .get(0)
                        .status())
                .isEqualTo(LaneReport.Status.FINISHED);
    }

    @Test
    void sendsNothingForNoLeases() {
        assertThat(consumer.extend(DSL.using(SQLDialect.POSTGRES), List.of(), LONGER))
                .isEmpty();
    }

    @Test
    void refusesTwoLeasesOfALane() {
        Lease lease = new Lease(lane(1), new LeaseId(5));

        assertThatThrownBy(() -> consumer.extend(dsl, List.of(lease, lease), LONGER))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("lane 1 must be named once in a batch");
    }

    @Test
    void twoAtOnceBothExtend() {
        append(dsl, 1, 1);
        Lease lease = claimOne(dsl, 1).lease();
        Session first = db.begin(Isolation.READ_COMMITTED);

        assertThat(consumer.extend(first.dsl(), List.of(lease), LEASE)).hasSize(1);
        var waiting = db.open()
                .start(context -> consumer.extend(context, List.of(lease), LONGER))
                .awaitWaiting();
        first.commit();

        assertThat(waiting.get())
                .containsExactly(Map.entry(lease, head(1).orElseThrow().getAvailableAt()));
    }

    @Test
    void waitsForAnOpenOutcomeAndThenFindsTheLeaseLost() {
        appendMany(1, 2);
        LeasedLane leased = claimOne(dsl, 1);
        Session finishing = db.begin(Isolation.READ_COMMITTED);
        consumer.finish(finishing.dsl(), List.of(LaneOutcome.completed(leased)));

        var waiting = db.open()
                .start(context -> consumer.extend(context, List.of(leased.lease()), LONGER))
                .awaitWaiting();
        finishing.commit();

        assertThat(waiting.get()).isEmpty();
        assertThat(claimOne(dsl, 1).attempts()).isEqualTo(1);
    }

    @Test
    void twoBatchesInOppositeOrderDoNotDeadlock() {
        for (int user = 0; user < 50; user++) {
            append(dsl, user, 1);
        }
        List<Lease> ascending =
                claim(dsl, 100, 1).lanes().stream().map(LeasedLane::lease).toList();
        List<Lease> descending = new java.util.ArrayList<>(ascending);
        java.util.Collections.reverse(descending);
        Session first = db.begin(Isolation.READ_COMMITTED);
        consumer.extend(first.dsl(), ascending.subList(0, 1), LEASE);

        var waiting = db.open()
                .start(context -> consumer.extend(context, descending, LONGER))
                .awaitWaiting();
        assertThat(consumer.extend(first.dsl(), descending, LEASE))
                .as("the waiting one holds no lane that comes later")
                .hasSize(50);
        first.commit();

        assertThat(waiting.get()).hasSize(50);
    }

    @Test
    void isToBeCalledAgainAboveReadCommittedWhenTheHeadChangedMeanwhile() {
        append(dsl, 1, 1);
        Lease lease = claimOne(dsl, 1).lease();
        Session old = db.begin(Isolation.REPEATABLE_READ).snapshot();
        consumer.extend(dsl, List.of(lease), LEASE);

        assertThatThrownBy(() -> consumer.extend(old.dsl(), List.of(lease), LONGER))
                .isInstanceOf(CallAgainException.class);
    }
}
