package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EventId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.util.List;
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
