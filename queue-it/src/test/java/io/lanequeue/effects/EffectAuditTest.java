package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.WrongIsolationException;
import io.lanequeue.effects.RepoDisagreement.Kind;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EffectAuditTest extends EffectFixture {

    private static final RepoRepair NOTHING = new RepoRepair(0, 0);
    private static final RepoRepair ONE_REPO = new RepoRepair(1, 0);

    private final EffectAudit audit = new EffectAudit();

    @Test
    void findsNothingWhereTheTriggersDidTheirWork() {
        enqueueMany("a", 3);
        enqueueMany("b", 2);
        consumer.complete(dsl, claims(dispatch(dsl, 4)).subList(0, 2));
        List<?> before = heads();

        assertThat(disagreements()).isEmpty();
        assertThat(audit.repair(dsl)).isEqualTo(NOTHING);

        assertThat(heads()).isEqualTo(before);
    }

    @Test
    void findsAndMendsARepositoryThatWasInsertedRoundTheTriggers() {
        EffectId first = EffectsByHand.insertBySql(replica().dsl(), "repo", EffectState.ENQUEUED);
        EffectId second = EffectsByHand.insertBySql(replica().dsl(), "repo", EffectState.ENQUEUED);
        assertThat(dispatch(dsl, 10)).isEmpty();

        assertThat(disagreements())
                .containsExactly(new RepoDisagreement(repo("repo"), Kind.REPO_WITHOUT_HEAD, null, first, 0, 0));
        assertThat(audit.repair(dsl)).isEqualTo(ONE_REPO);

        assertThatAllAgree();
        assertThat(ids(dispatch(dsl, 10))).containsExactly(first, second);
    }

    @Test
    void findsAndMendsClaimsWithoutAHead() {
        EffectsByHand.insertBySql(replica().dsl(), "repo", EffectState.CLAIMED);
        EffectsByHand.insertBySql(replica().dsl(), "repo", EffectState.CLAIMED);

        assertThat(disagreements())
                .containsExactly(new RepoDisagreement(repo("repo"), Kind.REPO_WITHOUT_HEAD, null, null, 0, 2));
        assertThat(audit.repair(dsl)).isEqualTo(ONE_REPO);

        assertThatAllAgree();
        assertThat(inFlight("repo")).isEqualTo(2);
    }

    @Test
    void findsAndMendsTooManyInFlight() {
        EffectId gone = enqueue(dsl, "repo");
        EffectId waiting = enqueue(dsl, "repo");
        dispatch(dsl, 1);
        EffectsByHand.deleteBySql(replica().dsl(), gone);
        assertThat(dispatch(dsl, 10, 1)).isEmpty();

        assertThat(disagreements())
                .containsExactly(new RepoDisagreement(repo("repo"), Kind.WRONG_IN_FLIGHT, waiting, waiting, 1, 0));
        assertThat(audit.repair(dsl)).isEqualTo(ONE_REPO);

        assertThatAllAgree();
        assertThat(ids(dispatch(dsl, 10, 1))).containsExactly(waiting);
    }

    @Test
    void findsAndMendsTooFewInFlight() {
        EffectId waiting = enqueue(dsl, "repo");
        EffectsByHand.insertBySql(replica().dsl(), "repo", EffectState.CLAIMED);

        assertThat(disagreements())
                .containsExactly(new RepoDisagreement(repo("repo"), Kind.WRONG_IN_FLIGHT, waiting, waiting, 0, 1));
        assertThat(audit.repair(dsl)).isEqualTo(ONE_REPO);

        assertThatAllAgree();
        assertThat(dispatch(dsl, 10, 1)).isEmpty();
    }

    @Test
    void mendsAHeadWhoseEffectIsGoneThoughItOnlySaysWhereToLook() {
        List<EffectId> effects = enqueueMany("repo", 2);
        EffectsByHand.deleteBySql(replica().dsl(), effects.get(0));

        assertThatAllAgree();
        assertThat(audit.repair(dsl)).isEqualTo(ONE_REPO);

        assertThatAllAgree();
        assertThat(head("repo").orElseThrow().getHeadId()).isEqualTo(effects.get(1));
    }

    @Test
    void findsAndRemovesTheHeadOfARepositoryWhoseEffectsAreAllGone() {
        EffectId effect = enqueue(dsl, "repo");
        EffectsByHand.deleteBySql(replica().dsl(), effect);

        assertThat(disagreements())
                .containsExactly(new RepoDisagreement(repo("repo"), Kind.EMPTY_REPO, effect, null, 0, 0));
        assertThat(audit.repair(dsl)).isEqualTo(ONE_REPO);

        assertThat(head("repo")).isEmpty();
    }

    @Test
    void findsAndRemovesAHeadThatAnEnqueueThatWasRolledBackLeft() {
        leaveAnEmptyHead("repo");

        assertThat(disagreements())
                .containsExactly(new RepoDisagreement(repo("repo"), Kind.EMPTY_REPO, null, null, 0, 0));
        assertThat(audit.repair(dsl)).isEqualTo(ONE_REPO);

        assertThat(head("repo")).isEmpty();
    }

    @Test
    void aClaimRemovesAHeadThatAnEnqueueThatWasRolledBackLeft() {
        leaveAnEmptyHead("repo");

        assertThat(dispatch(dsl, 10)).isEmpty();

        assertThat(head("repo")).isEmpty();
    }

    @Test
    void rebuildsEveryHead() {
        enqueueMany("a", 2);
        enqueueMany("b", 1);
        enqueueMany("c", 3);
        dispatch(dsl, 3);
        dsl.truncate(EFFECT_QUEUE_REPO_HEADS).execute();
        assertThat(disagreements())
                .extracting(RepoDisagreement::kind)
                .containsExactly(Kind.REPO_WITHOUT_HEAD, Kind.REPO_WITHOUT_HEAD, Kind.REPO_WITHOUT_HEAD);

        assertThat(audit.repair(dsl)).isEqualTo(new RepoRepair(3, 0));

        assertThatAllAgree();
        assertThat(inFlight("a")).isEqualTo(2);
        assertThat(inFlight("b")).isEqualTo(1);
        assertThat(dispatch(dsl, 10)).hasSize(3);
    }

    @Test
    void listsNoMoreThanTheLimitAscendingByRepository() {
        for (int i = 5; i > 0; i--) {
            enqueue(dsl, "repo " + i);
        }
        dsl.truncate(EFFECT_QUEUE_REPO_HEADS).execute();

        assertThat(audit.disagreements(dsl, 3))
                .extracting(RepoDisagreement::repoId)
                .containsExactly(repo("repo 1"), repo("repo 2"), repo("repo 3"));
    }

    @Test
    void skipsAndCountsAHeadThatAnotherTransactionHolds() {
        EffectId gone = enqueue(dsl, "held");
        EffectsByHand.deleteBySql(replica().dsl(), gone);
        List<EffectId> effects = enqueueMany("free", 2);
        EffectsByHand.deleteBySql(replica().dsl(), effects.get(0));
        Session holding = db.begin(Isolation.READ_COMMITTED);
        holding.dsl()
                .selectFrom(EFFECT_QUEUE_REPO_HEADS)
                .where(EFFECT_QUEUE_REPO_HEADS.REPO_ID.eq(repo("held")))
                .forNoKeyUpdate()
                .fetch();

        assertThat(audit.repair(dsl)).isEqualTo(new RepoRepair(1, 1));
        assertThat(disagreements()).extracting(RepoDisagreement::repoId).containsExactly(repo("held"));
        holding.rollback();

        assertThat(audit.repair(dsl)).isEqualTo(ONE_REPO);
        assertThatAllAgree();
    }

    @Test
    void waitsForAnOpenEnqueueAndThenSeesIt() {
        Session producing = EffectsByHand.roundTheTriggers(db.begin(Isolation.READ_COMMITTED));
        EffectId effect = EffectsByHand.insertBySql(producing.dsl(), "repo", EffectState.ENQUEUED);

        var waiting = db.open().start(audit::repair).awaitWaiting();
        producing.commit();

        assertThat(waiting.get()).isEqualTo(ONE_REPO);
        assertThat(ids(dispatch(dsl, 1))).containsExactly(effect);
    }

    @Test
    void waitsForAnOpenClaimAndThenCountsIt() {
        enqueue(dsl, "repo");
        dsl.truncate(EFFECT_QUEUE_REPO_HEADS).execute();
        enqueue(dsl, "repo");
        Session claiming = db.begin(Isolation.READ_COMMITTED);
        dispatch(claiming.dsl(), 1);

        var waiting = db.open().start(audit::repair).awaitWaiting();
        claiming.commit();
        waiting.get();

        assertThatAllAgree();
        assertThat(inFlight("repo")).isEqualTo(1);
    }

    @Test
    void whoeverChangesAnEffectWaitsForAnOpenRepair() {
        EffectId running = enqueue(dsl, "repo");
        EffectId next = enqueue(dsl, "repo");
        EffectClaim claim = dispatch(dsl, 1).get(0).claim();
        Session repairing = db.begin(Isolation.READ_COMMITTED);
        audit.repair(repairing.dsl());

        var producing = db.open().start(context -> enqueue(context, "other")).awaitWaiting();
        var completing = db.open()
                .start(context -> consumer.complete(context, List.of(claim)))
                .awaitWaiting();
        assertThat(disagreements()).as("readers do not wait").isEmpty();
        repairing.commit();

        EffectId produced = producing.get();
        assertThat(completing.get()).extracting(EffectReport::status).containsExactly(EffectReport.Status.APPLIED);
        assertThat(stateOf(running)).isEqualTo(EffectState.DONE);
        assertThat(ids(dispatch(dsl, 10))).containsExactly(next, produced);
        assertThatAllAgree();
    }

    @Test
    void aRepairThatIsRolledBackLeavesTheDisagreements() {
        enqueue(dsl, "repo");
        dsl.truncate(EFFECT_QUEUE_REPO_HEADS).execute();
        Session repairing = db.begin(Isolation.READ_COMMITTED);
        audit.repair(repairing.dsl());
        repairing.rollback();

        assertThat(disagreements()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = "READ_COMMITTED", mode = EnumSource.Mode.EXCLUDE)
    void refusesAnyIsolationButReadCommitted(Isolation isolation) {
        enqueue(dsl, "repo");
        dsl.truncate(EFFECT_QUEUE_REPO_HEADS).execute();
        Session session = db.begin(isolation);

        assertThatThrownBy(() -> audit.repair(session.dsl()))
                .isInstanceOf(WrongIsolationException.class)
                .hasMessageContaining("READ COMMITTED only");
        session.rollback();

        assertThat(disagreements()).hasSize(1);
    }

    /** A head that an open enqueue pinned when its last effect was completed, and that nobody needs any more. */
    private void leaveAnEmptyHead(String repo) {
        enqueue(dsl, repo);
        EffectClaim claim = dispatchOne(dsl).claim();
        Session producing = db.begin(Isolation.READ_COMMITTED);
        enqueue(producing.dsl(), repo);
        consumer.complete(dsl, List.of(claim));
        producing.rollback();
        assertThat(head(repo)).as("the open enqueue pinned it").isPresent();
    }

    private List<RepoDisagreement> disagreements() {
        return audit.disagreements(dsl, 100);
    }

    private void assertThatAllAgree() {
        assertThat(disagreements()).isEmpty();
    }

    private List<?> heads() {
        return dsl.selectFrom(EFFECT_QUEUE_REPO_HEADS)
                .orderBy(EFFECT_QUEUE_REPO_HEADS.REPO_ID)
                .fetch();
    }

    private Session replica() {
        return EffectsByHand.roundTheTriggers(db.open());
    }
}
