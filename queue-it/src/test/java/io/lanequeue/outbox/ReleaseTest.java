package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.outbox.LaneReport.Status;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.LeaseId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.util.List;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** What a worker does that shuts down; see also {@link FinishTest}. */
class ReleaseTest extends OutboxFixture {

    @Test
    void givesBackABatchAndSaysWhatIsLost() {
        appendMany(1, 2);
        appendMany(2, 2);
        appendMany(3, 2);
        List<Lease> leases =
                claim(dsl, 10, 2).lanes().stream().map(LeasedLane::lease).toList();
        consumer.release(dsl, leases.subList(1, 2));

        List<LaneReport> reports = consumer.release(dsl, leases);

        assertThat(reports).extracting(LaneReport::lease).isEqualTo(leases);
        assertThat(reports)
                .extracting(LaneReport::status)
                .containsExactly(Status.FINISHED, Status.LEASE_LOST, Status.FINISHED);
        assertThat(reports).allSatisfy(report -> {
            assertThat(report.deleted()).isEmpty();
            assertThat(report.missing()).isEmpty();
        });
        Claim again = claim(dsl, 10, 2);
        assertThat(again.events()).hasSize(6);
        assertThat(again.lanes()).extracting(LeasedLane::attempts).containsOnly(1);
    }

    @Test
    void givesBackALaneWhoseTimeIsOver() {
        append(dsl, 1, 1);
        Lease lease = claimOne(dsl, 1).lease();
        ByHand.expireLease(dsl, 1);

        assertThat(release(lease)).isEqualTo(Status.FINISHED);

        assertThat(claimOne(dsl, 1).attempts()).isEqualTo(1);
    }

    @Test
    void leavesALaneAloneThatAnotherWorkerHasByNow() {
        append(dsl, 1, 1);
        Lease first = claimOne(dsl, 1).lease();
        ByHand.expireLease(dsl, 1);
        LeasedLane second = claimOne(dsl, 1);
        var before = head(1);

        assertThat(release(first)).isEqualTo(Status.LEASE_LOST);

        assertThat(head(1)).isEqualTo(before);
        assertThat(second.attempts()).isEqualTo(2);
    }

    @Test
    void givesBackALaneThatALowerEventReachedMeanwhile() {
        EventId first = append(dsl, 1, 10);
        Lease lease = claimOne(dsl, 1).lease();
        EventId lower = append(dsl, 1, 5);

        assertThat(release(lease)).isEqualTo(Status.FINISHED);

        LeasedLane next = claimOne(dsl, 5);
        assertThat(ids(next)).containsExactly(lower, first);
        assertThat(next.attempts()).isEqualTo(1);
    }

    @Test
    void sendsNothingForNoLeases() {
        assertThat(consumer.release(DSL.using(SQLDialect.POSTGRES), List.of())).isEmpty();
    }

    @Test
    void refusesTwoLeasesOfALane() {
        Lease one = new Lease(lane(1), new LeaseId(5));
        Lease two = new Lease(lane(1), new LeaseId(6));

        assertThatThrownBy(() -> consumer.release(dsl, List.of(one, two)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("lane 1 must be named once in a batch");
    }

    @Test
    void ofTwoAtOnceOneReleasesAndTheOtherIsTold() {
        append(dsl, 1, 1);
        Lease lease = claimOne(dsl, 1).lease();
        Session first = db.begin(Isolation.READ_COMMITTED);

        List<LaneReport> one = consumer.release(first.dsl(), List.of(lease));
        var waiting = db.open()
                .start(context -> consumer.release(context, List.of(lease)))
                .awaitWaiting();
        first.commit();

        assertThat(one).extracting(LaneReport::status).containsExactly(Status.FINISHED);
        assertThat(waiting.get()).extracting(LaneReport::status).containsExactly(Status.LEASE_LOST);
        assertThat(claimOne(dsl, 1).attempts()).isEqualTo(1);
    }

    @Test
    void aReleaseThatIsRolledBackLeavesTheLease() {
        append(dsl, 1, 1);
        Lease lease = claimOne(dsl, 1).lease();
        Session session = db.begin(Isolation.READ_COMMITTED);
        consumer.release(session.dsl(), List.of(lease));
        session.rollback();

        assertThat(claim(dsl, 10, 1).isEmpty()).isTrue();
        assertThat(release(lease)).isEqualTo(Status.FINISHED);
    }

    private Status release(Lease lease) {
        return consumer.release(dsl, List.of(lease)).get(0).status();
    }
}
