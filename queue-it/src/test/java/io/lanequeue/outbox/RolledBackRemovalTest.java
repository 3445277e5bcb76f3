package io.lanequeue.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EventId;
import io.lanequeue.schema.jooq.Routines;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.util.List;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/**
 * PostgreSQL grants {@code KEY SHARE} on a row whose update and removal by one transaction are rolled back, though
 * another one has updated it by then, and does not protect what that one makes of it (ADR 18). So nobody may wait to
 * pin a head that a transaction has changed and then removes.
 */
class RolledBackRemovalTest extends OutboxFixture {

    /** Taken out: {@code emptying} of FinishStatement. In every sixth round the event is then left without a head. */
    @RepeatedTest(10)
    void anAppendThatWaitedForAnOutcomeHasAHead() {
        append(dsl, 1, 1);
        List<LaneOutcome> drained = List.of(LaneOutcome.completed(claimOne(dsl, 1)));
        Session rolledBack = db.begin(Isolation.READ_COMMITTED);
        consumer.finish(rolledBack.dsl(), drained);
        Session producing = db.begin(Isolation.READ_COMMITTED);
        var appended = producing.start(context -> append(context, 1, 2)).awaitWaiting();
        var finished =
                db.open().start(context -> consumer.finish(context, drained)).awaitWaiting();

        rolledBack.rollback();
        finished.get();
        EventId event = appended.get();
        producing.commit();

        assertThat(head(1)).isPresent();
        assertThat(ids(claimOne(dsl, 5))).containsExactly(event);
    }

    /** Taken out: the look at the version's age in FinishStatement, or in the delete trigger. The append then waits. */
    @Test
    void anAppendWaitsForNoTransactionThatClaimedAndFinished() {
        append(dsl, 1, 1);
        Session working = db.begin(Isolation.READ_COMMITTED);
        consumer.finish(working.dsl(), List.of(LaneOutcome.completed(claimOne(working.dsl(), 1))));

        EventId event = append(dsl, 1, 2);
        working.commit();

        assertThat(ids(claimOne(dsl, 5))).containsExactly(event);
    }

    /** Taken out: {@code age} and {@code pg_xact_status}, for a comparison with the transaction's own id. */
    @Test
    void norForOneThatClaimedInASubtransaction() {
        append(dsl, 1, 1);
        Session working = db.begin(Isolation.READ_COMMITTED);
        working.dsl().execute("savepoint claiming");
        LeasedLane lane = claimOne(working.dsl(), 1);
        working.dsl().execute("release savepoint claiming");
        consumer.finish(working.dsl(), List.of(LaneOutcome.completed(lane)));

        EventId event = append(dsl, 1, 2);
        working.commit();

        assertThat(ids(claimOne(dsl, 5))).containsExactly(event);
    }

    /** Taken out: {@code dispatch_outbox_is_own_version} in FinishStatement: the head stays. */
    @Test
    void aHeadThatAYoungerTransactionHasChangedIsRemovedByAnOutcome() {
        append(dsl, 1, 1);
        Session older = olderThanWhatFollows();
        LeasedLane lane = claimOne(dsl, 1);

        consumer.finish(older.dsl(), List.of(LaneOutcome.completed(lane)));
        older.commit();

        assertThat(head(1)).isEmpty();
    }

    /** Taken out: {@code dispatch_outbox_is_own_version} in the delete trigger: the head stays. */
    @Test
    void aHeadThatAYoungerTransactionHasChangedIsRemovedByADeletion() {
        append(dsl, 1, 1);
        Session older = olderThanWhatFollows();
        consumer.release(dsl, List.of(claimOne(dsl, 1).lease()));

        older.dsl().deleteFrom(DISPATCH_OUTBOX).execute();
        older.commit();

        assertThat(head(1)).isEmpty();
    }

    /** Taken out: what {@code dispatch_outbox_is_own_version} catches: no head so old could be removed. */
    @Test
    void aVersionSoOldThatItLooksYoungIsNobodysOwn() {
        Field<Boolean> isOwn = Routines.dispatchOutboxIsOwnVersion(DSL.val(Integer.MIN_VALUE));

        assertThat(dsl.fetchValue(DSL.select(isOwn))).isFalse();
    }

    /** Taken out: the head of the snapshot in {@code emptying}: the second append waits. */
    @Test
    void aHeadThatWasLoweredWhileItsOutcomeWaitedIsNotLockedForRemoval() {
        append(dsl, 1, 5);
        LeasedLane lane = claimOne(dsl, 1);
        Session lowering = db.begin(Isolation.READ_COMMITTED);
        EventId lower = append(lowering.dsl(), 1, 2);
        Session working = db.begin(Isolation.READ_COMMITTED);
        var finished = working.start(context -> consumer.finish(context, List.of(LaneOutcome.completed(lane))))
                .awaitWaiting();
        lowering.commit();
        finished.get();

        EventId behind = append(dsl, 1, 6);
        working.commit();

        assertThat(head(1)).hasValueSatisfying(head -> {
            assertThat(head.getHeadId()).isEqualTo(lower);
            assertThat(head.getLeasedBy()).isNull();
        });
        assertThat(ids(claimOne(dsl, 5))).containsExactly(lower, behind);
    }

    /** Taken out: {@code leased_by = NULL} in the delete trigger. */
    @Test
    void aHeadThatStaysSinceAnEventArrivedNamesNobody() {
        append(dsl, 1, 1);
        LeasedLane lane = claimOne(dsl, 1);
        Session holding = db.begin(Isolation.READ_COMMITTED);
        holding.dsl()
                .select(DISPATCH_OUTBOX_USER_HEADS.HEAD_ID)
                .from(DISPATCH_OUTBOX_USER_HEADS)
                .forNoKeyUpdate()
                .fetch();
        var finished = db.open()
                .start(context -> consumer.finish(context, List.of(LaneOutcome.completed(lane))))
                .awaitWaiting();
        EventId arrived = append(dsl, 1, 2);
        holding.commit();
        finished.get();

        assertThat(head(1)).hasValueSatisfying(head -> {
            assertThat(head.getHeadId()).isEqualTo(arrived);
            assertThat(head.getLeasedBy()).isNull();
        });
    }

    /** A transaction that has its id, and has changed nothing. */
    private Session olderThanWhatFollows() {
        Session older = db.begin(Isolation.READ_COMMITTED);
        older.dsl().execute("select pg_current_xact_id()");
        return older;
    }

    @Test
    void aLaneThatWasClaimedAndDrainedInOneTransactionIsSettledByTheNextClaim() {
        append(dsl, 1, 1);
        Session working = db.begin(Isolation.READ_COMMITTED);
        consumer.finish(working.dsl(), List.of(LaneOutcome.completed(claimOne(working.dsl(), 1))));
        working.commit();
        assertThat(head(1)).isPresent();

        assertThat(claim(dsl, 10, 1).settledLanes()).isEqualTo(1);

        assertThat(head(1)).isEmpty();
    }
}
