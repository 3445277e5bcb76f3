package io.lanequeue.effects;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.jooq.Routines;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Nobody may wait to pin a head that a transaction has changed and then removes: as for lanes. */
class RolledBackRemovalTest extends EffectFixture {

    /**
     * Taken out: the call of {@code effect_queue_lock_empty_heads} before the update in
     * {@code effect_queue_update_heads}. In every tenth round the effect is then left without a head.
     */
    @RepeatedTest(10)
    void anEnqueueThatWaitedForAReportHasAHead() {
        enqueue(dsl, "repo");
        List<EffectClaim> last = claims(dispatch(dsl, 1));
        Session rolledBack = db.begin(Isolation.READ_COMMITTED);
        consumer.complete(rolledBack.dsl(), last);
        Session producing = db.begin(Isolation.READ_COMMITTED);
        var enqueued = producing.start(context -> enqueue(context, "repo")).awaitWaiting();
        var completed =
                db.open().start(context -> consumer.complete(context, last)).awaitWaiting();

        rolledBack.rollback();
        completed.get();
        EffectId effect = enqueued.get();
        producing.commit();

        assertThat(head("repo")).isPresent();
        assertThat(ids(dispatch(dsl, 5))).containsExactly(effect);
    }

    /** Taken out: the look at the version's age in {@code effect_queue_lock_empty_heads}. The enqueue then waits. */
    @Test
    void anEnqueueWaitsForNoTransactionThatClaimedAndCompleted() {
        enqueue(dsl, "repo");
        Session working = db.begin(Isolation.READ_COMMITTED);
        consumer.complete(working.dsl(), claims(dispatch(working.dsl(), 1)));

        EffectId effect = enqueue(dsl, "repo");
        working.commit();

        assertThat(ids(dispatch(dsl, 5))).containsExactly(effect);
    }

    /** Taken out: {@code age} and {@code pg_xact_status}, for a comparison with the transaction's own id. */
    @Test
    void norForOneThatClaimedInASubtransaction() {
        enqueue(dsl, "repo");
        Session working = db.begin(Isolation.READ_COMMITTED);
        working.dsl().execute("savepoint claiming");
        List<EffectClaim> claims = claims(dispatch(working.dsl(), 1));
        working.dsl().execute("release savepoint claiming");
        consumer.complete(working.dsl(), claims);

        EffectId effect = enqueue(dsl, "repo");
        working.commit();

        assertThat(ids(dispatch(dsl, 5))).containsExactly(effect);
    }

    /**
     * As when the effect was committed after the look and before the lock. Taken out: the insert in
     * {@code effect_queue_remove_heads}.
     */
    @Test
    void aHeadThatAnEffectStandsBehindAfterAllIsPutBack() {
        EffectId oldest = enqueue(dsl, "repo");
        enqueue(dsl, "repo");

        Routines.effectQueueRemoveHeads(dsl.configuration(), new String[] {"repo", "empty"});

        assertThat(head("repo"))
                .hasValueSatisfying(head -> assertThat(head.getHeadId()).isEqualTo(oldest));
        assertThat(head("empty")).isEmpty();
        assertThat(dispatch(dsl, 5)).hasSize(2);
    }

    /** Taken out: {@code dispatch_outbox_is_own_version} in {@code effect_queue_lock_empty_heads}: the head stays. */
    @Test
    void aHeadThatAYoungerTransactionHasChangedIsRemoved() {
        enqueue(dsl, "repo");
        enqueue(dsl, "repo");
        List<EffectClaim> claims = claims(dispatch(dsl, 2));
        Session older = db.begin(Isolation.READ_COMMITTED);
        older.dsl().execute("select pg_current_xact_id()");
        consumer.complete(dsl, claims.subList(0, 1));

        consumer.complete(older.dsl(), claims.subList(1, 2));
        older.commit();

        assertThat(head("repo")).isEmpty();
    }

    @Test
    void aRepositoryThatWasDrainedByTheTransactionThatClaimedIsSettledByTheNextClaim() {
        enqueue(dsl, "repo");
        Session working = db.begin(Isolation.READ_COMMITTED);
        consumer.complete(working.dsl(), claims(dispatch(working.dsl(), 1)));
        working.commit();
        assertThat(head("repo")).isPresent();

        dispatch(dsl, 1);

        assertThat(head("repo")).isEmpty();
    }
}
