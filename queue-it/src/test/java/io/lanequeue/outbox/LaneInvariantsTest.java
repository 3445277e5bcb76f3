package io.lanequeue.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.CallAgainException;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.jooq.Routines;
import io.lanequeue.testing.Gate;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The invariants I1 to I6 of lanes, each on several connections. The comment of a test names the protection that was
 * taken out once, by hand, to see the test fail.
 */
class LaneInvariantsTest extends OutboxFixture {

    static Stream<Arguments> twoIsolations() {
        return Stream.of(Isolation.values())
                .flatMap(first -> Stream.of(Isolation.values()).map(second -> Arguments.of(first, second)));
    }

    // ---- I1 a lane with committed events has exactly one head, I2 nothing is stranded

    // Taken out: FOR KEY SHARE in dispatch_outbox_insert_user_heads: 1 event and 0 heads. FOR UPDATE or SKIP LOCKED in
    // the removal of dispatch_outbox_delete_user_heads: the delete waits for the append.
    @ParameterizedTest
    @MethodSource("twoIsolations")
    void aHeadDeletedWhileAnAppendIsOpenLeavesNoLaneWithoutHead(Isolation appending, Isolation deleting) {
        EventId first = append(dsl, 1, 1);
        Session producer = db.begin(appending);
        EventId second = append(producer.dsl(), 1, 2);

        Session deleter = db.begin(deleting);
        deleteBySql(deleter, first);
        deleter.commit();
        List<EventId> left = producer.tryCommit() ? List.of(second) : List.of();

        assertThat(head(1)).isPresent();
        assertThat(drained()).isEqualTo(left);
        assertThat(head(1)).isEmpty();
    }

    // Taken out: IF read_committed before the removal in dispatch_outbox_delete_user_heads: 1 event and 0 heads.
    @ParameterizedTest
    @EnumSource(value = Isolation.class, names = "READ_COMMITTED", mode = EnumSource.Mode.EXCLUDE)
    void aDeleteWithAnOldSnapshotLeavesTheHeadToEventsThatItDoesNotSee(Isolation deleting) {
        EventId first = append(dsl, 1, 1);
        Session deleter = db.begin(deleting).snapshot();
        EventId second = append(dsl, 1, 2);

        deleteBySql(deleter, first);
        deleter.commit();

        assertThat(head(1)).isPresent();
        assertThat(drained()).containsExactly(second);
    }

    // Taken out: the INSERT after the removal in dispatch_outbox_delete_user_heads: 1 event and 0 heads.
    @Test
    void aDeletePutsTheHeadBackForAnEventThatCommitsBetweenItsLookAndItsLock() {
        EventId first = append(dsl, 1, 1);
        try (Gate gate = Gate.beforeDeletes(db)) {
            Session deleter = gate.holds(db.open());
            var deletion = deleter.start(context -> {
                        deleteBySql(deleter, first);
                        return true;
                    })
                    .awaitWaiting();
            EventId second = append(dsl, 1, 2);
            gate.open();
            deletion.get();

            assertThat(head(1).orElseThrow().getHeadId()).isEqualTo(second);
            assertThat(drained()).containsExactly(second);
        }
    }

    // Taken out: the look for events in the removal of dispatch_outbox_delete_user_heads, and the INSERT after it: 1
    // event
    // and 0 heads.
    @Test
    void aDeleteThatWaitedForAnAppendSeesWhatItAppended() {
        EventId first = append(dsl, 1, 5);
        Session producer = db.begin(Isolation.READ_COMMITTED);
        EventId lower = append(producer.dsl(), 1, 2);

        Session deleter = db.begin(Isolation.READ_COMMITTED);
        var deletion = deleter.start(context -> {
            deleteBySql(deleter, first);
            return true;
        });
        deletion.awaitWaiting();
        producer.commit();
        deletion.get();
        deleter.commit();

        assertThat(head(1).orElseThrow().getHeadId()).isEqualTo(lower);
        assertThat(drained()).containsExactly(lower);
    }

    // Taken out: FOR KEY SHARE in dispatch_outbox_insert_user_heads: the append relies on a head that is being removed.
    @ParameterizedTest
    @EnumSource(Isolation.class)
    void anAppendBehindAnOpenRemovalGetsItsHeadOrIsToldToCallAgain(Isolation appending) {
        EventId first = append(dsl, 1, 1);
        Session deleter = db.begin(Isolation.READ_COMMITTED);
        deleteBySql(deleter, first);

        Session producer = db.begin(appending);
        var append = producer.start(context -> append(context, 1, 2)).awaitWaiting();
        deleter.commit();

        if (appending == Isolation.READ_COMMITTED) {
            EventId second = append.get();
            producer.commit();
            assertThat(drained()).containsExactly(second);
        } else {
            assertThatThrownBy(append::get).isInstanceOf(CallAgainException.class);
            producer.rollback();
            assertThat(eventsOf(1)).isEmpty();
        }
    }

    // Taken out: FOR KEY SHARE in dispatch_outbox_insert_user_heads: 1 event and 0 heads. FOR UPDATE or SKIP LOCKED in
    // the removal of dispatch_outbox_settle_heads: the claim waits for the append.
    @ParameterizedTest
    @MethodSource("twoIsolations")
    void settlingAnEmptyLaneWhileAnAppendIsOpenStrandsNothing(Isolation appending, Isolation settling) {
        dangle(1);
        Session producer = db.begin(appending);
        EventId second = append(producer.dsl(), 1, 2);

        Session settler = db.begin(settling);
        Claim empty = claim(settler.dsl(), 10, 1);
        settler.commit();
        List<EventId> left = producer.tryCommit() ? List.of(second) : List.of();

        assertOnlySettled(empty, 1);
        assertThat(head(1)).isPresent();
        assertThat(head(1).orElseThrow().getLeaseId()).isNull();
        Instant backOffEnds = head(1).orElseThrow().getAvailableAt();
        assertThat(OutboxConsumer.at(backOffEnds).claim(dsl, request(10, 1)).events())
                .extracting(Event::id)
                .isEqualTo(left);
    }

    // Taken out: the test for READ COMMITTED in dispatch_outbox_settle_heads: 1 event and 0 heads.
    @ParameterizedTest
    @EnumSource(value = Isolation.class, names = "READ_COMMITTED", mode = EnumSource.Mode.EXCLUDE)
    void settlingWithAnOldSnapshotLeavesTheHeadToEventsThatItDoesNotSee(Isolation settling) {
        dangle(1);
        Session settler = db.begin(settling).snapshot();
        EventId second = append(dsl, 1, 2);

        assertOnlySettled(claim(settler.dsl(), 10, 1), 1);
        settler.commit();

        Instant backOffEnds = head(1).orElseThrow().getAvailableAt();
        assertThat(OutboxConsumer.at(backOffEnds).claim(dsl, request(10, 1)).events())
                .extracting(Event::id)
                .containsExactly(second);
    }

    // Taken out: the INSERT after the removal in dispatch_outbox_settle_heads: 1 event and 0 heads.
    @Test
    void settlingPutsTheHeadBackForAnEventThatCommitsBetweenItsLookAndItsLock() {
        dangle(1);
        try (Gate gate = Gate.beforeDeletes(db)) {
            var settling = gate.holds(db.open())
                    .start(context -> claim(context, 10, 1))
                    .awaitWaiting();
            EventId second = append(dsl, 1, 2);
            gate.open();

            assertOnlySettled(settling.get(), 1);
            assertThat(head(1).orElseThrow().getHeadId()).isEqualTo(second);
            assertThat(drained()).containsExactly(second);
        }
    }

    // Taken out: the look for an event in the back-off of dispatch_outbox_settle_heads: the lane waits a second.
    @Test
    void settlingDoesNotDelayALaneWhoseEventTheClaimDidNotSeeYet() {
        dangle(1);
        // Claimed so often, it would back off for the longest time.
        dsl.update(DISPATCH_OUTBOX_USER_HEADS)
                .set(DISPATCH_OUTBOX_USER_HEADS.ATTEMPTS, 10)
                .execute();
        try (Gate gate = Gate.beforeUpdates(db)) {
            var settling = gate.holds(db.open())
                    .start(context -> claim(context, 10, 1))
                    .awaitWaiting();
            EventId second = append(dsl, 1, 2);
            gate.open();

            assertOnlySettled(settling.get(), 1);
            assertThat(ids(claimOne(dsl, 1))).containsExactly(second);
        }
    }

    // Taken out: IF NOT read_committed at the top of dispatch_outbox_delete_user_heads, which locks every head: the
    // lane stays blocked on an event that is gone.
    @ParameterizedTest
    @EnumSource(value = Isolation.class, names = "READ_COMMITTED", mode = EnumSource.Mode.EXCLUDE)
    void aDeleteWithAnOldSnapshotCannotLeaveALaneBlockedOnAnEventThatIsGone(Isolation deleting) {
        List<EventId> events = appendMany(1, 2);
        LeasedLane lane = claimOne(dsl, 2);
        Session deleter = db.begin(deleting).snapshot();
        consumer.finish(dsl, List.of(LaneOutcome.block(lane, events.get(1), "poison")));

        assertThatThrownBy(() -> deleteBySql(deleter, events.get(1)))
                .isInstanceOfSatisfying(
                        DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo("40001"));
        deleter.rollback();

        assertThat(eventsOf(1)).containsExactly(events.get(1));
        assertThat(head(1).orElseThrow().getHeadId()).isEqualTo(events.get(1));
    }

    // Taken out: FOR UPDATE SKIP LOCKED on the failed event in FinishStatement: the lane is blocked on an event that is
    // gone.
    @Test
    void aLaneIsNotBlockedOnAnEventThatIsBeingDeleted() {
        List<EventId> events = appendMany(1, 2);
        LeasedLane lane = claimOne(dsl, 1);
        Session deleter = db.begin(Isolation.READ_COMMITTED);
        deleteBySql(deleter, events.get(0));

        LaneReport report = consumer.finish(dsl, List.of(LaneOutcome.block(lane, events.get(0), "poison")))
                .get(0);
        deleter.commit();

        assertThat(report.status()).isEqualTo(LaneReport.Status.DISPLACED);
        assertThat(drained()).containsExactly(events.get(1));
    }

    // Taken out: "every lane whose fence matched" in FinishStatement (ending only the leases of lanes whose event was
    // deleted): the lane stays leased.
    @Test
    void anOutcomeEndsTheLeaseWhateverTheHeadIsByThen() {
        EventId first = append(dsl, 1, 5);
        LeasedLane lane = claimOne(dsl, 1);
        EventId lower = append(dsl, 1, 2);
        deleteBySql(db.open(), first);

        consumer.finish(dsl, List.of(LaneOutcome.completed(lane)));

        assertThat(head(1).orElseThrow().getLeaseId()).isNull();
        assertThat(drained()).containsExactly(lower);
    }

    // Taken out: looking the head up by key in the last part of FinishStatement (by the ctid of the locking part
    // instead): the lowered head slips through and stays leased.
    @Test
    void anOutcomeThatWaitedForALoweringAppendEndsTheLease() {
        EventId first = append(dsl, 1, 5);
        LeasedLane lane = claimOne(dsl, 1);
        Session producer = db.begin(Isolation.READ_COMMITTED);
        EventId lower = append(producer.dsl(), 1, 2);

        Session worker = db.open();
        var outcome = worker.start(context -> consumer.finish(context, List.of(LaneOutcome.completed(lane))))
                .awaitWaiting();
        producer.commit();

        assertThat(outcome.get().get(0).deleted()).containsExactly(first);
        assertThat(head(1).orElseThrow().getLeaseId()).isNull();
        assertThat(drained()).containsExactly(lower);
    }

    // Taken out: in FinishStatement, that the head moves only where its event was deleted: it passes the lower event.
    @Test
    void anOutcomeThatWaitedForALoweringAppendLeavesTheHeadThere() {
        append(dsl, 1, 5);
        LeasedLane lane = claimOne(dsl, 1);
        append(dsl, 1, 9);
        Session producer = db.begin(Isolation.READ_COMMITTED);
        EventId lower = append(producer.dsl(), 1, 2);

        var outcome = db.open()
                .start(context -> consumer.finish(context, List.of(LaneOutcome.completed(lane))))
                .awaitWaiting();
        producer.commit();

        assertThat(outcome.get().get(0).status()).isEqualTo(LaneReport.Status.FINISHED);
        assertThat(head(1).orElseThrow().getHeadId()).isEqualTo(lower);
    }

    // Taken out: the comparison of the locked head with the head of the snapshot in FinishStatement: the lane is
    // blocked above an event that was never tried.
    @Test
    void aBlockThatWaitedForALoweringAppendIsDisplaced() {
        EventId first = append(dsl, 1, 5);
        LeasedLane lane = claimOne(dsl, 1);
        Session producer = db.begin(Isolation.READ_COMMITTED);
        EventId lower = append(producer.dsl(), 1, 2);

        Session worker = db.open();
        var outcome = worker.start(
                        context -> consumer.finish(context, List.of(LaneOutcome.block(lane, first, "poison"))))
                .awaitWaiting();
        producer.commit();

        assertThat(outcome.get().get(0).status()).isEqualTo(LaneReport.Status.DISPLACED);
        assertThat(drained()).containsExactly(lower, first);
    }

    // ---- I3 at most one live lease per lane; nothing but its holder hands the lane on

    // Taken out: "lease_id IS NULL" in dispatch_outbox_delete_user_heads: the lane is claimable under the first lease.
    @Test
    void aDeleteOfALeasedHeadDoesNotHandTheLaneOn() {
        List<EventId> events = appendMany(1, 2);
        LeasedLane lane = claimOne(dsl, 1);

        deleteBySql(db.open(), events.get(0));

        assertThat(claim(dsl, 10, 1).isEmpty()).isTrue();
        assertThat(head(1).orElseThrow().getLeaseId()).isEqualTo(lane.lease().id());
    }

    // Taken out: FOR NO KEY UPDATE where dispatch_outbox_delete_user_heads looks for heads: the lane is claimed
    // meanwhile, and again when the delete is through.
    @Test
    void aLaneWhoseHeadIsBeingMovedIsNotClaimedMeanwhile() {
        List<EventId> events = appendMany(1, 2);
        try (Gate gate = Gate.beforeDeletes(db)) {
            Session deleter = gate.holds(db.open());
            var deletion = deleter.start(context -> {
                        deleteBySql(deleter, events.get(0));
                        return true;
                    })
                    .awaitWaiting();
            assertThat(claim(dsl, 10, 2).isEmpty()).isTrue();
            gate.open();
            deletion.get();

            assertThat(ids(claimOne(dsl, 2))).containsExactly(events.get(1));
        }
    }

    // Taken out: "AND x.lease_id = k.lease" in dispatch_outbox_settle_heads: the head is removed. "AND h.lease_id = ANY
    // (leases)" there: the lane is handed on.
    @Test
    void settlingUnderALeaseThatIsAnotherByNowChangesNothing() {
        EventId event = append(dsl, 1, 1);
        Lease lease = claimOne(dsl, 1).lease();
        deleteBySql(db.open(), event);
        var before = head(1);

        assertThat(dsl.fetchValue(Routines.dispatchOutboxSettleHeads(
                        new Long[] {1L}, new Long[] {lease.id().value() - 1})))
                .isZero();

        assertThat(before).isPresent();
        assertThat(head(1)).isEqualTo(before);
    }

    // Taken out: the CASE on lease_id in dispatch_outbox_insert_user_heads.
    @Test
    void aLowerEventDoesNotHandALeasedLaneOn() {
        append(dsl, 1, 5);
        LeasedLane lane = claimOne(dsl, 1);

        EventId lower = append(dsl, 1, 2);

        assertThat(claim(dsl, 10, 1).isEmpty()).isTrue();
        assertThat(head(1).orElseThrow().getHeadId()).isEqualTo(lower);
        assertThat(head(1).orElseThrow().getLeaseId()).isEqualTo(lane.lease().id());
    }

    // Taken out: SKIP LOCKED in ClaimStatement: the second claim waits for the first.
    @Test
    void twoWorkersNeverHoldOneLane() {
        append(dsl, 1, 1);
        Session first = db.begin(Isolation.READ_COMMITTED);
        Session second = db.begin(Isolation.READ_COMMITTED);

        Claim one = claim(first.dsl(), 1, 1);
        Claim two = claim(second.dsl(), 1, 1);
        first.commit();
        Claim three = claim(second.dsl(), 1, 1);
        second.commit();

        assertThat(one.lanes()).hasSize(1);
        assertThat(two.isEmpty()).isTrue();
        assertThat(three.isEmpty()).isTrue();
    }

    // ---- I4 order; a failed head holds back everything behind it

    // Taken out: the order by pts in ClaimStatement (by id alone): the later event is handed out first.
    @Test
    void aLowerEventThatCommitsWhileTheHeadIsLeasedIsTheNextOne() {
        EventId third = append(dsl, 1, 30);
        EventId second = append(dsl, 1, 20);
        LeasedLane lane = claimOne(dsl, 1);
        assertThat(ids(lane)).containsExactly(second);
        EventId first = append(dsl, 1, 10);

        consumer.finish(dsl, List.of(LaneOutcome.completed(lane)));

        assertThat(drained()).containsExactly(first, third);
    }

    // Taken out: reading the lane's first events in ClaimStatement (the event of head_id instead).
    @Test
    void anEventThatCommitsLateBelowTheHeadIsHandedOutFirst() {
        EventId first = append(dsl, 1, 1);
        append(dsl, 1, 9);
        LeasedLane lane = claimOne(dsl, 1);
        Session producer = db.begin(Isolation.READ_COMMITTED);
        EventId late = append(producer.dsl(), 1, 5);
        consumer.finish(dsl, List.of(LaneOutcome.completed(lane)));
        producer.commit();

        assertThat(head(1).orElseThrow().getHeadPts())
                .as("stands above the late event")
                .isEqualTo(9);
        LeasedLane next = claimOne(dsl, 1);
        assertThat(ids(next)).containsExactly(late);
        assertThat(next.attempts()).isEqualTo(1);
        assertThat(first).isNotEqualTo(late);
    }

    // Taken out: the comparison of the event with the head for attempts and error in ClaimStatement: those of the head
    // are
    // told of an event that was never tried.
    @Test
    void anEventThatCommitsLateBelowAFailedHeadIsNotTakenForTheFailedOne() {
        append(dsl, 1, 1);
        EventId failed = append(dsl, 1, 9);
        LeasedLane lane = claimOne(dsl, 1);
        Session producer = db.begin(Isolation.READ_COMMITTED);
        EventId late = append(producer.dsl(), 1, 5);
        consumer.finish(dsl, List.of(LaneOutcome.completed(lane)));
        consumer.finish(dsl, List.of(LaneOutcome.retry(claimOne(dsl, 1), failed, Duration.ofMinutes(3), "down")));
        producer.commit();

        Instant due = head(1).orElseThrow().getAvailableAt();
        LeasedLane next =
                OutboxConsumer.at(due).claim(dsl, request(1, 2)).lanes().get(0);
        assertThat(ids(next)).containsExactly(late, failed);
        assertThat(next.attempts()).isEqualTo(1);
        assertThat(next.lastError()).isNull();
    }

    // Taken out: the comparison of available_at in ClaimStatement: the lane is handed out at once.
    @Test
    void aFailedHeadHoldsBackTheLaneUntilItsDelayIsOver() {
        List<EventId> events = appendMany(1, 3);
        LeasedLane lane = claimOne(dsl, 3);
        consumer.finish(dsl, List.of(LaneOutcome.retry(lane, events.get(0), Duration.ofMinutes(3), "down")));

        append(dsl, 1, 4);
        assertThat(claim(dsl, 10, 3).isEmpty()).isTrue();
        Instant due = head(1).orElseThrow().getAvailableAt();
        assertThat(OutboxConsumer.at(due.minusMillis(1))
                        .claim(dsl, request(10, 1))
                        .isEmpty())
                .isTrue();
        assertThat(OutboxConsumer.at(due).claim(dsl, request(10, 1)).events())
                .extracting(Event::id)
                .containsExactly(events.get(0));
    }

    // Taken out: the condition of the last UPDATE of dispatch_outbox_delete_user_heads that the head's event is gone:
    // the lane is ready.
    @Test
    void aDeleteThatWaitedForABlockLeavesTheLaneBlocked() {
        EventId other = append(dsl, 1, 5);
        Session worker = db.begin(Isolation.READ_COMMITTED);
        EventId poison = append(worker.dsl(), 1, 2);
        consumer.finish(worker.dsl(), List.of(LaneOutcome.block(claimOne(worker.dsl(), 1), poison, "poison")));

        Session deleter = db.open();
        var deletion = deleter.start(context -> {
                    deleteBySql(deleter, other);
                    return true;
                })
                .awaitWaiting();
        worker.commit();
        deletion.get();

        assertThat(head(1).orElseThrow().getHeadId()).isEqualTo(poison);
        assertThat(head(1).orElseThrow().getAvailableAt()).isEqualTo(Instant.MAX);
        assertThat(claim(dsl, 10, 1).isEmpty()).isTrue();
    }

    // Taken out: "WHERE new < old" in dispatch_outbox_insert_user_heads: the head is raised and the lane is ready.
    @Test
    void aHigherEventOfASecondProducerLeavesABlockedNewLaneBlocked() {
        Session first = db.begin(Isolation.READ_COMMITTED);
        EventId poison = append(first.dsl(), 1, 1);
        consumer.finish(first.dsl(), List.of(LaneOutcome.block(claimOne(first.dsl(), 1), poison, "poison")));

        var second = db.open().start(context -> append(context, 1, 2)).awaitWaiting();
        first.commit();
        second.get();

        assertThat(head(1).orElseThrow().getHeadId()).isEqualTo(poison);
        assertThat(claim(dsl, 10, 1).isEmpty()).isTrue();
    }

    // Taken out: the reset of available_at on lowering in dispatch_outbox_insert_user_heads.
    @Test
    void aLowerEventMakesABlockedLaneClaimable() {
        EventId failed = append(dsl, 1, 5);
        consumer.finish(dsl, List.of(LaneOutcome.block(claimOne(dsl, 1), failed, "poison")));

        EventId lower = append(dsl, 1, 2);

        LeasedLane lane = claimOne(dsl, 2);
        assertThat(ids(lane)).containsExactly(lower, failed);
        assertThat(lane.attempts()).isEqualTo(1);
        assertThat(lane.lastError()).isNull();
    }

    // ---- I5 a stale fence changes nothing

    // Taken out: the comparison of the lease in the locking part of FinishStatement (lane only).
    @Test
    void theFirstOfTwoWorkersIsToldThatItsLeaseRanOut() {
        List<EventId> events = appendMany(1, 2);
        LeasedLane first = claimOne(dsl, 1);
        LeasedLane second = OutboxConsumer.at(first.leasedUntil())
                .claim(dsl, request(1, 1))
                .lanes()
                .get(0);

        LaneReport late =
                consumer.finish(dsl, List.of(LaneOutcome.completed(first))).get(0);

        assertThat(late).isEqualTo(new LaneReport(first.lease(), LaneReport.Status.LEASE_LOST, List.of(), List.of()));
        assertThat(eventsOf(1)).isEqualTo(events);
        assertThat(head(1).orElseThrow().getLeaseId()).isEqualTo(second.lease().id());
    }

    // Taken out: the comparison of the lease in the locking part of FinishStatement (lane only). That no plan locks an
    // event before its fence is compared is for PlanTest.
    @Test
    void aStaleOutcomeInAnOpenTransactionHoldsNoEventOfTheNewHolder() {
        List<EventId> events = appendMany(1, 2);
        LeasedLane first = claimOne(dsl, 2);
        LeasedLane second = OutboxConsumer.at(first.leasedUntil())
                .claim(dsl, request(1, 2))
                .lanes()
                .get(0);

        Session late = db.begin(Isolation.READ_COMMITTED);
        assertThat(consumer.finish(late.dsl(), List.of(LaneOutcome.completed(first))))
                .extracting(LaneReport::status)
                .containsExactly(LaneReport.Status.LEASE_LOST);
        LaneReport report =
                consumer.finish(dsl, List.of(LaneOutcome.completed(second))).get(0);
        late.commit();

        assertThat(report.deleted()).isEqualTo(events);
        assertThat(report.missing()).isEmpty();
    }

    // ---- I6 a producer never waits for a lease or a claim, a consumer never waits for a producer's open append

    // Taken out: FOR KEY SHARE in dispatch_outbox_insert_user_heads (FOR SHARE instead): the append waits for the
    // claim.
    @ParameterizedTest
    @EnumSource(Isolation.class)
    void anAppendDoesNotWaitForAnOpenClaim(Isolation appending) {
        append(dsl, 1, 1);
        Session worker = db.begin(Isolation.READ_COMMITTED);
        claimOne(worker.dsl(), 1);

        Session producer = db.begin(appending);
        append(producer.dsl(), 1, 2);
        producer.commit();
        worker.commit();

        assertThat(eventsOf(1)).hasSize(2);
    }

    // Taken out: FOR NO KEY UPDATE in ClaimStatement (FOR UPDATE instead): the lane is skipped.
    @Test
    void aClaimDoesNotSkipALaneWithAnOpenAppend() {
        EventId first = append(dsl, 1, 1);
        Session producer = db.begin(Isolation.READ_COMMITTED);
        append(producer.dsl(), 1, 2);

        assertThat(ids(claimOne(dsl, 10))).containsExactly(first);
        producer.commit();
    }

    // Taken out: SKIP LOCKED where FinishStatement locks the heads that go: the worker waits for the producer.
    @ParameterizedTest
    @EnumSource(Isolation.class)
    void completingTheLastEventDoesNotWaitForAnIdleOpenAppend(Isolation appending) {
        EventId first = append(dsl, 1, 1);
        LeasedLane lane = claimOne(dsl, 1);
        Session producer = db.begin(appending);
        EventId second = append(producer.dsl(), 1, 2);

        LaneReport report =
                consumer.finish(dsl, List.of(LaneOutcome.completed(lane))).get(0);
        assertThat(report.deleted()).containsExactly(first);
        assertThat(head(1)).as("pinned by the append").isPresent();
        producer.commit();

        assertThat(drained()).containsExactly(second);
    }

    @Test
    void anAppendThatIsRolledBackLeavesADanglingHeadThatAClaimSettles() {
        append(dsl, 1, 1);
        LeasedLane lane = claimOne(dsl, 1);
        Session producer = db.begin(Isolation.READ_COMMITTED);
        append(producer.dsl(), 1, 2);
        consumer.finish(dsl, List.of(LaneOutcome.completed(lane)));
        producer.rollback();

        assertOnlySettled(claim(dsl, 10, 1), 1);
        assertThat(head(1)).isEmpty();
    }

    /** Leaves a head whose event is gone, claimable. */
    private void dangle(long user) {
        EventId event = append(dsl, user, 1);
        Session deleter = db.begin(Isolation.REPEATABLE_READ);
        deleteBySql(deleter, event);
        deleter.commit();
        assertThat(head(user).orElseThrow().get(DISPATCH_OUTBOX_USER_HEADS.HEAD_ID))
                .isEqualTo(event);
    }

    private List<EventId> drained() {
        return drain(dsl).stream().map(Event::id).toList();
    }
}
