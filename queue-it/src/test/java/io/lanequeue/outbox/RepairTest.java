package io.lanequeue.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.WrongIsolationException;
import io.lanequeue.schema.EventId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RepairTest extends OutboxFixture {

    private static final Repair NOTHING = new Repair(0, 0);
    private static final Repair ONE_LANE = new Repair(1, 0);

    private final OutboxAudit audit = new OutboxAudit();

    /** It committed after the one behind it had become the head, whose attempts are the ones that are counted. */
    @Test
    void anEventInFrontOfItsHeadIsCountedOnceTheHeadIsRepaired() {
        append(dsl, 1, 1);
        Session late = db.begin(Isolation.READ_COMMITTED);
        EventId event = append(late.dsl(), 1, 3);
        append(dsl, 1, 5);
        consumer.finish(dsl, List.of(LaneOutcome.completed(claimOne(dsl, 1))));
        late.commit();

        for (int attempts : List.of(1, 1)) {
            LeasedLane lane = claimOne(dsl, 1);
            assertThat(ids(lane)).containsExactly(event);
            assertThat(lane.attempts()).isEqualTo(attempts);
            ByHand.expireLease(dsl, 1);
        }
        audit.repair(dsl);
        for (int attempts : List.of(1, 2)) {
            LeasedLane lane = claimOne(dsl, 1);
            assertThat(ids(lane)).containsExactly(event);
            assertThat(lane.attempts()).isEqualTo(attempts);
            ByHand.expireLease(dsl, 1);
        }
    }

    @Test
    void changesNothingWhereHeadsAndEventsAgree() {
        appendMany(1, 3);
        claim(dsl, 1, 1);
        appendMany(2, 3);
        List<?> before = heads();

        assertThat(audit.repair(dsl)).isEqualTo(NOTHING);

        assertThat(heads()).isEqualTo(before);
    }

    @Test
    void addsAHeadToALaneWithoutOne() {
        EventId first = ByHand.insertBySql(replica().dsl(), 1, 5);
        EventId second = ByHand.insertBySql(replica().dsl(), 1, 6);
        assertThat(claim(dsl, 10, 1).isEmpty()).isTrue();

        assertThat(audit.repair(dsl)).isEqualTo(ONE_LANE);

        assertThatAllAgree();
        assertThat(ids(claimOne(dsl, 5))).containsExactly(first, second);
    }

    @Test
    void rebuildsEveryHead() {
        appendMany(1, 2);
        appendMany(2, 1);
        appendMany(300, 3);
        dsl.truncate(DISPATCH_OUTBOX_USER_HEADS).execute();

        assertThat(audit.repair(dsl)).isEqualTo(new Repair(3, 0));

        assertThatAllAgree();
        assertThat(drain(dsl)).hasSize(6);
    }

    @Test
    void removesTheHeadOfAnEmptyLane() {
        EventId event = append(dsl, 1, 1);
        deleteBySql(replica(), event);

        assertThat(audit.repair(dsl)).isEqualTo(ONE_LANE);

        assertThat(head(1)).isEmpty();
    }

    @Test
    void movesAHeadWhoseEventIsGone() {
        List<EventId> events = appendMany(1, 3);
        deleteBySql(replica(), events.get(0));

        assertThat(audit.repair(dsl)).isEqualTo(ONE_LANE);

        assertThatAllAgree();
        assertThat(head(1).orElseThrow().getHeadId()).isEqualTo(events.get(1));
    }

    @Test
    void movesAHeadThatStandsTooHighAndMakesItsLaneClaimable() {
        EventId head = append(dsl, 1, 10);
        consumer.finish(dsl, List.of(LaneOutcome.block(claimOne(dsl, 1), head, "poison")));
        EventId lower = ByHand.insertBySql(replica().dsl(), 1, 5);
        assertThat(claim(dsl, 10, 1).isEmpty()).isTrue();

        assertThat(audit.repair(dsl)).isEqualTo(ONE_LANE);

        assertThatAllAgree();
        LeasedLane lane = claimOne(dsl, 5);
        assertThat(ids(lane)).containsExactly(lower, head);
        assertThat(lane.attempts()).isEqualTo(1);
        assertThat(lane.lastError()).isNull();
    }

    @Test
    void correctsThePositionOfAHead() {
        append(dsl, 1, 10);
        dsl.update(DISPATCH_OUTBOX_USER_HEADS)
                .set(DISPATCH_OUTBOX_USER_HEADS.HEAD_PTS, 9)
                .execute();

        assertThat(audit.repair(dsl)).isEqualTo(ONE_LANE);

        assertThatAllAgree();
        assertThat(head(1).orElseThrow().getHeadPts()).isEqualTo(10);
    }

    @Test
    void aLaneThatIsBlockedOnItsFirstEventStaysBlocked() {
        EventId head = append(dsl, 1, 10);
        append(dsl, 1, 11);
        consumer.finish(dsl, List.of(LaneOutcome.block(claimOne(dsl, 1), head, "poison")));

        assertThat(audit.repair(dsl)).isEqualTo(NOTHING);

        assertThat(head(1).orElseThrow().getAvailableAt()).isEqualTo(Instant.MAX);
        assertThat(head(1).orElseThrow().getLastError()).isEqualTo("poison");
    }

    @Test
    void aLeasedLaneKeepsItsLeaseWhenItsHeadMoves() {
        List<EventId> events = appendMany(1, 3);
        LeasedLane leased = claimOne(dsl, 2);
        deleteBySql(db.open(), events.get(0));

        assertThat(audit.repair(dsl)).isEqualTo(ONE_LANE);

        assertThatAllAgree();
        assertThat(claim(dsl, 10, 1).isEmpty()).isTrue();
        LaneReport report =
                consumer.finish(dsl, List.of(LaneOutcome.completed(leased))).get(0);
        assertThat(report.status()).isEqualTo(LaneReport.Status.FINISHED);
        assertThat(report.deleted()).containsExactly(events.get(1));
        assertThat(ids(claimOne(dsl, 5))).containsExactly(events.get(2));
    }

    @Test
    void aLeasedLaneKeepsItsLeaseWhenItsEventsAreGone() {
        EventId event = append(dsl, 1, 1);
        LeasedLane leased = claimOne(dsl, 1);
        deleteBySql(db.open(), event);

        audit.repair(dsl);
        append(dsl, 1, 2);

        assertThat(claim(dsl, 10, 1).isEmpty())
                .as("while a worker holds the lane nobody else gets its next event")
                .isTrue();
        assertThat(consumer.extend(dsl, List.of(leased.lease()), LEASE)).containsOnlyKeys(leased.lease());
    }

    @Test
    void skipsAndCountsAHeadThatAnotherTransactionHolds() {
        List<EventId> events = appendMany(1, 2);
        appendMany(2, 2);
        deleteBySql(replica(), events.get(0));
        Session worker = db.begin(Isolation.READ_COMMITTED);
        claim(worker.dsl(), 1, 1);

        assertThat(audit.repair(dsl)).isEqualTo(new Repair(0, 1));
        worker.commit();

        assertThat(audit.repair(dsl)).isEqualTo(ONE_LANE);
        assertThatAllAgree();
    }

    @Test
    void skipsAndCountsTheHeadOfAnEmptyLaneThatAnotherTransactionHolds() {
        EventId event = append(dsl, 1, 1);
        LeasedLane leased = claimOne(dsl, 1);
        deleteBySql(replica(), event);
        Session worker = db.begin(Isolation.READ_COMMITTED);
        consumer.extend(worker.dsl(), List.of(leased.lease()), LEASE);

        assertThat(audit.repair(dsl)).isEqualTo(new Repair(0, 1));
        worker.rollback();
        assertThat(head(1)).isPresent();
    }

    @Test
    void skipsAndCountsAnEmptyLaneThatAnOpenClaimSettles() {
        EventId event = append(dsl, 1, 1);
        deleteBySql(replica(), event);
        Session worker = db.begin(Isolation.READ_COMMITTED);
        assertOnlySettled(claim(worker.dsl(), 1, 1), 1);

        assertThat(audit.repair(dsl)).isEqualTo(new Repair(0, 1));
        worker.rollback();

        assertThat(audit.repair(dsl)).isEqualTo(ONE_LANE);
        assertThat(head(1)).isEmpty();
    }

    @Test
    void waitsForAnOpenAppendAndThenSeesIt() {
        Session producing = ByHand.roundTheTriggers(db.begin(Isolation.READ_COMMITTED));
        EventId event = ByHand.insertBySql(producing.dsl(), 1, 5);

        var waiting = db.open().start(audit::repair).awaitWaiting();
        producing.commit();

        assertThat(waiting.get()).isEqualTo(ONE_LANE);
        assertThat(ids(claimOne(dsl, 1))).containsExactly(event);
    }

    @Test
    void producersAndOutcomesWaitForAnOpenRepair() {
        EventId event = append(dsl, 1, 1);
        LeasedLane leased = claimOne(dsl, 1);
        Session repairing = db.begin(Isolation.READ_COMMITTED);
        audit.repair(repairing.dsl());

        var producing = db.open().start(context -> append(context, 2, 1)).awaitWaiting();
        var completing = db.open()
                .start(context -> consumer.finish(context, List.of(LaneOutcome.completed(leased))))
                .awaitWaiting();
        repairing.commit();

        assertThat(completing.get().get(0).deleted()).containsExactly(event);
        EventId appended = producing.get();
        assertThat(eventsOf(2)).containsExactly(appended);
    }

    @Test
    void claimsDoNotWaitForAnOpenRepair() {
        EventId event = append(dsl, 1, 1);
        Session repairing = db.begin(Isolation.READ_COMMITTED);
        audit.repair(repairing.dsl());

        assertThat(ids(claimOne(dsl, 1))).containsExactly(event);
    }

    @Test
    void aRepairThatIsRolledBackLeavesTheDisagreements() {
        append(dsl, 1, 1);
        dsl.truncate(DISPATCH_OUTBOX_USER_HEADS).execute();
        Session repairing = db.begin(Isolation.READ_COMMITTED);
        audit.repair(repairing.dsl());
        repairing.rollback();

        assertThat(audit.disagreements(dsl, 10)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = "READ_COMMITTED", mode = EnumSource.Mode.EXCLUDE)
    void refusesAnyIsolationButReadCommitted(Isolation isolation) {
        append(dsl, 1, 1);
        dsl.truncate(DISPATCH_OUTBOX_USER_HEADS).execute();
        Session session = db.begin(isolation);

        assertThatThrownBy(() -> audit.repair(session.dsl()))
                .isInstanceOf(WrongIsolationException.class)
                .hasMessageContaining("READ COMMITTED only");
        session.rollback();

        assertThat(audit.disagreements(dsl, 10)).hasSize(1);
    }

    private void assertThatAllAgree() {
        assertThat(audit.disagreements(dsl, 10)).isEmpty();
    }

    private List<?> heads() {
        return dsl.selectFrom(DISPATCH_OUTBOX_USER_HEADS)
                .orderBy(DISPATCH_OUTBOX_USER_HEADS.TARGET_USER_ID)
                .fetch();
    }

    private Session replica() {
        return ByHand.roundTheTriggers(db.open());
    }
}
