package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.CallAgainException;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

class EffectOperatorTest extends EffectFixture {

    private static final NewEffect KEYED = NewEffect.of("repo", "x").withDedupeKey("k");
    private static final Redrive NOTHING = new Redrive(List.of(), List.of());

    /** Has no connection: whatever is sent fails. */
    private static final DSLContext UNCONNECTED = DSL.using(SQLDialect.POSTGRES);

    private final EffectOperator operator = new EffectOperator();

    @Test
    void countsARepositoryByState() {
        failed("repo", 4);
        consumer.complete(dsl, claims(dispatched(enqueueMany("repo", 2))));
        dispatched(enqueueMany("repo", 3));
        enqueueMany("repo", 2);
        scheduled("repo");
        enqueueMany("other", 7);

        assertThat(operator.counts(dsl, repo("repo"), 100)).isEqualTo(new RepoCounts(1, 2, 3, 4));
        assertThat(operator.counts(dsl, repo("unknown"), 100)).isEqualTo(new RepoCounts(0, 0, 0, 0));
    }

    @Test
    void countsUpToTheBoundExceptWhatIsInFlight() {
        failed("repo", 4);
        dispatched(enqueueMany("repo", 4));
        enqueueMany("repo", 4);
        for (int i = 0; i < 4; i++) {
            scheduled("repo");
        }

        assertThat(operator.counts(dsl, repo("repo"), 3)).isEqualTo(new RepoCounts(3, 3, 4, 3));
        assertThat(operator.counts(dsl, repo("repo"), 4)).isEqualTo(new RepoCounts(4, 4, 4, 4));
    }

    @Test
    void listsTheRepositoriesThatWaitLongest() {
        EffectId first = enqueue(dsl, "first");
        enqueue(dsl, "claimed");
        EffectId second = enqueue(dsl, "second");
        enqueue(dsl, "first");
        scheduled("scheduled");
        consumer.claim(dsl, new RepoClaimRequest(repo("claimed"), "me", 1));
        EffectId third = enqueue(dsl, "claimed");

        List<WaitingRepo> waiting = operator.oldestWaiting(dsl, 10);

        assertThat(waiting)
                .extracting(WaitingRepo::repoId)
                .containsExactly(repo("first"), repo("second"), repo("claimed"));
        assertThat(waiting).extracting(WaitingRepo::oldest).containsExactly(first, second, third);
        assertThat(waiting).extracting(WaitingRepo::inFlight).containsExactly(0, 0, 1);
        assertThat(waiting).extracting(WaitingRepo::waiting).isSortedAccordingTo(Collections.reverseOrder());
        assertThat(waiting)
                .allSatisfy(repo -> assertThat(repo.waiting()).isBetween(Duration.ZERO, Duration.ofHours(1)));
        assertThat(operator.oldestWaiting(dsl, 2))
                .extracting(WaitingRepo::oldest)
                .containsExactly(first, second);
    }

    @Test
    void anEffectThatCameBackWaitsSinceThen() {
        EffectId old = enqueue(dsl, "back");
        ClaimedEffect claimed = dispatchOne(dsl);
        EffectId other = enqueue(dsl, "other");
        consumer.release(dsl, List.of(claimed.claim()));

        assertThat(operator.oldestWaiting(dsl, 10))
                .extracting(WaitingRepo::oldest)
                .containsExactly(other, old);
    }

    @Test
    void listsNothingWhereNothingWaits() {
        dispatched(enqueueMany("repo", 1));

        assertThat(operator.oldestWaiting(dsl, 10)).isEmpty();
        assertThat(operator.failed(dsl, FailedQuery.of(repo("repo")))).isEmpty();
    }

    @Test
    void anEffectThatFailedIsListedWithWhatIsKnownOfIt() {
        producer.enqueue(dsl, NewEffect.of("repo", "build ü€𝄞"));
        consumer.retry(dsl, List.of(new EffectRetry(dispatchOne(dsl).claim(), Duration.ZERO, "first")));
        ClaimedEffect claimed = dispatchOne(dsl);
        consumer.fail(dsl, List.of(new EffectFailure(claimed.claim(), "second")));

        FailedEffect failed = operator.failed(dsl, FailedQuery.of(repo("repo"))).get(0);

        assertThat(failed)
                .isEqualTo(new FailedEffect(
                        claimed.claim().effect(), repo("repo"), "build ü€𝄞", 2, "second", failed.failedAt()));
        assertThat(failed.failedAt()).isBetween(claimed.claimedAt(), EffectsByHand.clock(dsl));
    }

    @Test
    void pagesVisitEveryFailedEffectOfTheRepositoryOnce() {
        List<EffectId> all = new ArrayList<>(failed("repo", 3));
        failed("other", 2);
        all.addAll(failed("repo", 2));
        List<List<EffectId>> pages = new ArrayList<>();

        FailedQuery query = FailedQuery.of(repo("repo")).withLimit(2);
        List<EffectId> page = failedIds(query);
        while (!page.isEmpty()) {
            pages.add(page);
            query = query.after(page.get(page.size() - 1));
            page = failedIds(query);
        }

        assertThat(pages).containsExactly(all.subList(0, 2), all.subList(2, 4), all.subList(4, 5));
    }

    @Test
    void aRedrivenEffectWaitsInItsOldPlaceWithAttemptsFromZero() {
        EffectId old = failed("repo", 1).get(0);
        EffectId waiting = enqueue(dsl, "repo");

        assertThat(operator.redrive(dsl, List.of(old))).isEqualTo(new Redrive(List.of(old), List.of()));

        assertThat(effect(old).getFailedAt()).isNull();
        List<ClaimedEffect> claimed = dispatch(dsl, 10);
        assertThat(ids(claimed)).containsExactly(old, waiting);
        assertThat(claimed.get(0).attempt()).isEqualTo(1);
        assertThat(claimed.get(0).lastError()).isEqualTo("poison");
        assertThatHeadsAgree();
    }

    @Test
    void redrivesThoseThatFailedAndIgnoresTheOthers() {
        List<EffectId> failed = new ArrayList<>(failed("repo", 2));
        failed.addAll(failed("other", 1));
        EffectId done = enqueue(dsl, "repo");
        consumer.complete(dsl, List.of(dispatchOne(dsl).claim()));
        EffectId running = enqueue(dsl, "repo");
        dispatchOne(dsl);
        EffectId later = scheduled("repo");
        EffectId waiting = enqueue(dsl, "repo");
        List<EffectId> named = new ArrayList<>(List.of(new EffectId(Long.MAX_VALUE), waiting, later, running, done));
        named.addAll(failed);
        named.add(failed.get(0));
        Collections.reverse(named);

        assertThat(operator.redrive(dsl, named)).isEqualTo(new Redrive(failed, List.of()));
        assertThat(operator.redrive(dsl, named)).isEqualTo(NOTHING);

        assertThat(stateOf(done)).isEqualTo(EffectState.DONE);
        assertThat(stateOf(running)).isEqualTo(EffectState.CLAIMED);
        assertThat(stateOf(later)).isEqualTo(EffectState.SCHEDULED);
        assertThatHeadsAgree();
    }

    @Test
    void redrivesARepositoryTheOldestFirstInBatches() {
        List<EffectId> failed = failed("repo", 5);
        List<EffectId> others = failed("other", 2);

        assertThat(operator.redrive(dsl, repo("repo"), 3)).isEqualTo(new Redrive(failed.subList(0, 3), List.of()));
        assertThat(operator.redrive(dsl, repo("repo"), 3)).isEqualTo(new Redrive(failed.subList(3, 5), List.of()));
        assertThat(operator.redrive(dsl, repo("repo"), 3)).isEqualTo(NOTHING);

        assertThat(failedIds(FailedQuery.of(repo("other")))).isEqualTo(others);
        assertThat(ids(dispatch(dsl, 10))).isEqualTo(failed);
        assertThatHeadsAgree();
    }

    @Test
    void aRedrivenEffectWhoseKeyWaitsAgainIsSuperseded() {
        EffectId old = failedWithKey();
        EffectId plain = failed("repo", 1).get(0);
        EffectId newer = producer.enqueue(dsl, KEYED).id();

        assertThat(operator.redrive(dsl, List.of(plain, old))).isEqualTo(new Redrive(List.of(plain), List.of(old)));

        assertThat(stateOf(old)).isEqualTo(EffectState.DONE);
        assertThat(effect(old).getFailedAt()).isNull();
        assertThat(effect(old).getLastError()).isEqualTo("superseded by effect " + newer);
        assertThat(ids(dispatch(dsl, 10))).containsExactly(plain, newer);
    }

    @Test
    void ofSeveralRedrivenEffectsWithOneKeyTheNewestWaits() {
        EffectId first = failedWithKey();
        EffectId second = failedWithKey();
        EffectId third = failedWithKey();

        assertThat(operator.redrive(dsl, repo("repo"), 10))
                .isEqualTo(new Redrive(List.of(third), List.of(first, second)));
        assertThatHeadsAgree();
    }

    @Test
    void aRedriveWaitsForAnOpenEnqueueOfItsKey() {
        EffectId old = failedWithKey();
        Session producing = db.begin(Isolation.READ_COMMITTED);
        producer.enqueue(producing.dsl(), KEYED);

        var waiting = db.open()
                .start(context -> operator.redrive(context, List.of(old)))
                .awaitWaiting();
        producing.commit();

        assertThat(waiting.get()).isEqualTo(new Redrive(List.of(), List.of(old)));
    }

    @Test
    void ofTwoRedrivesAtOnceOneHappens() {
        List<EffectId> old = failed("repo", 2);
        Session first = db.begin(Isolation.READ_COMMITTED);

        assertThat(operator.redrive(first.dsl(), old).enqueued()).isEqualTo(old);
        var waiting = db.open().start(context -> operator.redrive(context, old)).awaitWaiting();
        var waitingForRepo = db.open()
                .start(context -> operator.redrive(context, repo("repo"), 10))
                .awaitWaiting();
        first.commit();

        assertThat(waiting.get()).isEqualTo(NOTHING);
        assertThat(waitingForRepo.get()).isEqualTo(NOTHING);
        assertThatHeadsAgree();
    }

    @Test
    void aRedriveOfWhatWasRedrivenSinceTheSnapshotIsToBeCalledAgain() {
        List<EffectId> old = failed("repo", 1);
        Session session = db.begin(Isolation.REPEATABLE_READ).snapshot();
        operator.redrive(dsl, old);

        assertThatThrownBy(() -> operator.redrive(session.dsl(), old)).isInstanceOf(CallAgainException.class);
        session.rollback();
    }

    @Test
    void aRedriveThatIsRolledBackLeavesTheFailedEffects() {
        List<EffectId> old = failed("repo", 2);
        Session session = db.begin(Isolation.READ_COMMITTED);
        operator.redrive(session.dsl(), old);
        session.rollback();

        assertThat(failedIds(FailedQuery.of(repo("repo")))).isEqualTo(old);
        assertThat(head("repo")).isEmpty();
    }

    @Test
    void cancelsWhatWaitsAndNothingElse() {
        EffectId done = enqueue(dsl, "repo");
        consumer.complete(dsl, List.of(dispatchOne(dsl).claim()));
        EffectId poisoned = failed("repo", 1).get(0);
        EffectId running = enqueue(dsl, "repo");
        ClaimedEffect claimed = dispatchOne(dsl);
        EffectId later = scheduled("repo");
        EffectId waiting = enqueue(dsl, "other");
        EffectId never = new EffectId(Long.MAX_VALUE);

        assertThat(operator.cancel(dsl, List.of(waiting, never, later, later, running, poisoned, done), "not wanted"))
                .containsExactly(later, waiting);

        assertThat(stateOf(later)).isEqualTo(EffectState.FAILED);
        assertThat(effect(waiting).getLastError()).isEqualTo("not wanted");
        assertThat(effect(waiting).getFailedAt()).isNotNull();
        assertThat(effect(poisoned).getLastError()).isEqualTo("poison");
        assertThat(stateOf(done)).isEqualTo(EffectState.DONE);
        assertThat(head("other")).isEmpty();
        assertThat(dispatch(dsl, 10)).isEmpty();
        assertThat(consumer.complete(dsl, List.of(claimed.claim())))
                .extracting(EffectReport::status)
                .containsExactly(EffectReport.Status.APPLIED);
        assertThatHeadsAgree();
    }

    @Test
    void aCancelledEffectCanBeRedrivenAndItsKeyIsFree() {
        EffectId old = producer.enqueue(dsl, KEYED).id();
        operator.cancel(dsl, List.of(old), "not wanted");

        EffectId newer = producer.enqueue(dsl, KEYED).id();
        assertThat(newer).isNotEqualTo(old);
        operator.cancel(dsl, List.of(newer), "not wanted");

        assertThat(operator.redrive(dsl, List.of(old)).enqueued()).containsExactly(old);
        assertThat(ids(dispatch(dsl, 10))).containsExactly(old);
    }

    @Test
    void cancelLeavesOutWhatOthersHold() {
        EffectId held = enqueue(dsl, "held");
        EffectId free = enqueue(dsl, "free");
        Session claiming = db.begin(Isolation.READ_COMMITTED);
        consumer.claim(claiming.dsl(), new RepoClaimRequest(repo("held"), "worker", 1));

        assertThat(operator.cancel(dsl, List.of(held, free), "not wanted")).containsExactly(free);
        claiming.rollback();

        assertThat(operator.cancel(dsl, List.of(held, free), "not wanted")).containsExactly(held);
        assertThatHeadsAgree();
    }

    @Test
    void aClaimLeavesOutWhatAnOpenCancellationHolds() {
        List<EffectId> effects = enqueueMany("repo", 1);
        EffectId other = enqueue(dsl, "other");
        Session cancelling = db.begin(Isolation.READ_COMMITTED);
        operator.cancel(cancelling.dsl(), effects, "not wanted");

        assertThat(ids(dispatch(dsl, 10))).containsExactly(other);
        cancelling.rollback();

        assertThat(ids(dispatch(dsl, 10))).isEqualTo(effects);
    }

    @Test
    void ofTwoCancellationsAtOnceOneHappens() {
        List<EffectId> effects = enqueueMany("repo", 2);
        Session first = db.begin(Isolation.READ_COMMITTED);

        assertThat(operator.cancel(first.dsl(), effects, "first")).isEqualTo(effects);
        assertThat(operator.cancel(dsl, effects, "second")).isEmpty();
        first.commit();

        assertThat(operator.cancel(dsl, effects, "third")).isEmpty();
        assertThat(effect(effects.get(0)).getLastError()).isEqualTo("first");
    }

    @Test
    void sendsNothingForNoEffects() {
        assertThat(operator.redrive(UNCONNECTED, List.of())).isEqualTo(NOTHING);
        assertThat(operator.cancel(UNCONNECTED, List.of(), "not wanted")).isEmpty();
    }

    @Test
    void refusesMoreThanABatch() {
        List<EffectId> tooMany = Collections.nCopies(EffectOperator.MAX_BATCH + 1, new EffectId(1));

        assertThatThrownBy(() -> operator.redrive(UNCONNECTED, tooMany))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("10000");
        assertThatThrownBy(() -> operator.cancel(UNCONNECTED, tooMany, "not wanted"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("10000");
    }

    private List<ClaimedEffect> dispatched(List<EffectId> effects) {
        List<ClaimedEffect> claimed = dispatch(dsl, effects.size());
        assertThat(ids(claimed)).isEqualTo(effects);
        return claimed;
    }

    private List<EffectId> failed(String repo, int count) {
        List<EffectId> effects = enqueueMany(repo, count);
        consumer.fail(
                dsl,
                claims(dispatched(effects)).stream()
                        .map(claim -> new EffectFailure(claim, "poison"))
                        .toList());
        return effects;
    }

    private EffectId failedWithKey() {
        EffectId effect = producer.enqueue(dsl, KEYED).id();
        consumer.fail(dsl, List.of(new EffectFailure(dispatchOne(dsl).claim(), "poison")));
        return effect;
    }

    private EffectId scheduled(String repo) {
        return producer.enqueue(dsl, NewEffect.of(repo, "{}").withDelay(Duration.ofHours(1)))
                .id();
    }

    private List<EffectId> failedIds(FailedQuery query) {
        return operator.failed(dsl, query).stream().map(FailedEffect::id).toList();
    }

    private void assertThatHeadsAgree() {
        assertThat(new EffectAudit().disagreements(dsl, 10)).isEmpty();
        assertThat(dsl.fetchCount(EFFECT_QUEUE)).isPositive();
    }
}
