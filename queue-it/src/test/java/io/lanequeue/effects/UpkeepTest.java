package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.CallAgainException;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UpkeepTest extends EffectFixture {

    private static final Duration AGE = Duration.ofMinutes(5);
    private static final StaleReport NOTHING = new StaleReport(List.of(), List.of(), List.of());

    @Test
    void takesNothingWhereNothingIsStale() {
        enqueueMany("repo", 2);
        dispatch(dsl, 1);

        assertThat(upkeep.requeueStale(dsl, AGE, 3, 10)).isEqualTo(NOTHING);
        assertThat(inFlight("repo")).isEqualTo(1);
    }

    @Test
    void aClaimIsStaleAtTheAgeAndNotBefore() {
        EffectId id = enqueue(dsl, "repo");
        Instant claimedAt = dispatchOne(dsl).claimedAt();

        assertThat(EffectUpkeep.at(claimedAt.plus(AGE).minusMillis(1)).requeueStale(dsl, AGE, 3, 10))
                .isEqualTo(NOTHING);
        assertThat(EffectUpkeep.at(claimedAt.plus(AGE)).requeueStale(dsl, AGE, 3, 10))
                .isEqualTo(requeued(id));
        assertThat(effect(id).getClaimId()).isNull();
        assertThat(effect(id).getClaimedAt()).isNull();
        assertThat(effect(id).getClaimedBy()).isNull();
    }

    @Test
    void takesNoMoreThanTheLimitTheOldestClaimsFirst() {
        List<EffectId> effects = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            effects.add(enqueue(dsl, "repo " + i));
        }
        Instant start = EffectsByHand.clock(dsl);
        for (int repo : new int[] {3, 0, 4, 1, 2}) {
            start = start.plusSeconds(1);
            EffectConsumer.at(start).claim(dsl, new RepoClaimRequest(repo("repo " + repo), "me", 1));
        }

        assertThat(later().requeueStale(dsl, AGE, 3, 2)).isEqualTo(requeued(effects.get(0), effects.get(3)));
        assertThat(later().requeueStale(dsl, AGE, 3, 2)).isEqualTo(requeued(effects.get(1), effects.get(4)));
        assertThat(later().requeueStale(dsl, AGE, 3, 2)).isEqualTo(requeued(effects.get(2)));
        assertThat(later().requeueStale(dsl, AGE, 3, 2)).isEqualTo(NOTHING);
        assertThatHeadsAgree();
    }

    @Test
    void leavesOutWhatAnotherTransactionHolds() {
        EffectId held = enqueue(dsl, "held");
        EffectId free = enqueue(dsl, "free");
        List<EffectClaim> claims = claims(dispatch(dsl, 2));
        Session worker = db.begin(Isolation.READ_COMMITTED);
        consumer.extend(worker.dsl(), claims.subList(0, 1));

        assertThat(later().requeueStale(dsl, AGE, 3, 10)).isEqualTo(requeued(free));
        worker.rollback();

        assertThat(later().requeueStale(dsl, AGE, 3, 10)).isEqualTo(requeued(held));
    }

    @Test
    void neverTakesAClaimThatIsExtendedMeanwhile() {
        EffectId id = enqueue(dsl, "repo");
        EffectClaim claim = dispatchOne(dsl).claim();
        Instant moment = EffectsByHand.clock(dsl).plus(AGE);
        Session worker = db.begin(Isolation.READ_COMMITTED);

        EffectConsumer.at(moment).extend(worker.dsl(), List.of(claim));
        assertThat(EffectUpkeep.at(moment).requeueStale(dsl, AGE, 3, 10)).isEqualTo(NOTHING);
        worker.commit();
        assertThat(EffectUpkeep.at(moment).requeueStale(dsl, AGE, 3, 10)).isEqualTo(NOTHING);

        assertThat(effect(id).getClaimId()).isEqualTo(claim.id());
        assertThat(EffectUpkeep.at(moment.plus(AGE)).requeueStale(dsl, AGE, 3, 10))
                .isEqualTo(requeued(id));
    }

    @Test
    void neverTakesAClaimThatIsCompletedMeanwhile() {
        EffectId id = enqueue(dsl, "repo");
        EffectClaim claim = dispatchOne(dsl).claim();
        Session worker = db.begin(Isolation.READ_COMMITTED);

        consumer.complete(worker.dsl(), List.of(claim));
        assertThat(later().requeueStale(dsl, AGE, 3, 10)).isEqualTo(NOTHING);
        worker.commit();
        assertThat(later().requeueStale(dsl, AGE, 3, 10)).isEqualTo(NOTHING);

        assertThat(stateOf(id)).isEqualTo(EffectState.DONE);
    }

    @ParameterizedTest
    @EnumSource(names = "READ_COMMITTED", mode = EnumSource.Mode.EXCLUDE)
    void aClaimThatWasExtendedSinceTheSnapshotIsToBeCalledAgain(Isolation isolation) {
        EffectId id = enqueue(dsl, "repo");
        EffectClaim claim = dispatchOne(dsl).claim();
        Session old = db.begin(isolation).snapshot();
        consumer.extend(dsl, List.of(claim));

        assertThatThrownBy(() -> later().requeueStale(old.dsl(), AGE, 3, 10)).isInstanceOf(CallAgainException.class);
        old.rollback();

        assertThat(stateOf(id)).isEqualTo(EffectState.CLAIMED);
    }

    @Test
    void aCompletionWaitsForAnOpenRequeueAndIsLostAfterIt() {
        EffectId id = enqueue(dsl, "repo");
        EffectClaim claim = dispatchOne(dsl).claim();
        Session session = db.begin(Isolation.READ_COMMITTED);

        later().requeueStale(session.dsl(), AGE, 3, 10);
        var waiting = db.open()
                .start(context -> consumer.complete(context, List.of(claim)))
                .awaitWaiting();
        session.commit();

        assertThat(waiting.get()).extracting(EffectReport::status).containsExactly(EffectReport.Status.CLAIM_LOST);
        assertThat(stateOf(id)).isEqualTo(EffectState.ENQUEUED);
        assertThatHeadsAgree();
    }

    @Test
    void severalAtOnceTakeDifferentClaims() {
        List<EffectId> effects = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            effects.add(enqueue(dsl, "repo " + i));
            dispatch(dsl, 1);
        }
        Session first = db.begin(Isolation.READ_COMMITTED);

        assertThat(later().requeueStale(first.dsl(), AGE, 3, 2)).isEqualTo(requeued(effects.get(0), effects.get(1)));
        assertThat(later().requeueStale(dsl, AGE, 3, 10)).isEqualTo(requeued(effects.get(2), effects.get(3)));
        first.commit();

        assertThat(later().requeueStale(dsl, AGE, 3, 10)).isEqualTo(NOTHING);
        assertThatHeadsAgree();
    }

    @Test
    void aRequeueThatIsRolledBackLeavesTheClaims() {
        enqueueMany("repo", 2);
        List<EffectClaim> claims = claims(dispatch(dsl, 2));
        Session session = db.begin(Isolation.READ_COMMITTED);
        later().requeueStale(session.dsl(), AGE, 1, 10);
        session.rollback();

        assertThat(consumer.complete(dsl, claims))
                .extracting(EffectReport::status)
                .containsOnly(EffectReport.Status.APPLIED);
        assertThatHeadsAgree();
    }

    @Test
    void anEffectThatAlwaysKillsItsWorkerEndsAsFailed() {
        EffectId deadly = enqueue(dsl, "repo");
        for (int attempt = 1; attempt <= 3; attempt++) {
            ClaimedEffect effect = dispatchOne(dsl);
            assertThat(effect.attempt()).isEqualTo(attempt);
            StaleReport report = later().requeueStale(dsl, AGE, 3, 10);
            assertThat(report)
                    .isEqualTo(attempt < 3 ? requeued(deadly) : new StaleReport(List.of(), List.of(), List.of(deadly)));
        }

        assertThat(dispatch(dsl, 10)).isEmpty();
        assertThat(stateOf(deadly)).isEqualTo(EffectState.FAILED);
        assertThat(effect(deadly).getClaimId()).isNull();
        assertThat(effect(deadly).getFailedAt()).isNotNull();
        assertThat(effect(deadly).getLastError()).isEqualTo("its workers did not report");
        assertThat(head("repo")).isEmpty();
    }

    @Test
    void anEffectThatFailsForItsWorkersKeepsTheErrorItHad() {
        EffectId id = enqueue(dsl, "repo");
        consumer.retry(dsl, List.of(new EffectRetry(dispatchOne(dsl).claim(), Duration.ZERO, "no route")));
        dispatchOne(dsl);

        assertThat(later().requeueStale(dsl, AGE, 2, 10).failed()).containsExactly(id);

        assertThat(effect(id).getLastError()).isEqualTo("no route");
    }

    @Test
    void requeuesAndFailsOfSeveralRepositoriesInOneCall() {
        List<EffectId> worn = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            worn.add(enqueue(dsl, "repo " + i % 3));
        }
        consumer.retry(
                dsl,
                claims(dispatch(dsl, 6)).stream()
                        .map(claim -> new EffectRetry(claim, Duration.ZERO, "error"))
                        .toList());
        List<EffectId> fresh = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            fresh.add(enqueue(dsl, "repo " + (1 + i % 3)));
        }
        assertThat(dispatch(dsl, 100)).hasSize(12);

        assertThat(later().requeueStale(dsl, AGE, 2, 100)).isEqualTo(new StaleReport(fresh, List.of(), worn));

        assertThatHeadsAgree();
        assertThat(ids(dispatch(dsl, 100))).isEqualTo(fresh);
    }

    @Test
    void anEffectWhoseKeyWaitsAgainIsSuperseded() {
        NewEffect keyed = NewEffect.of("repo", "x").withDedupeKey("k");
        EffectId old = producer.enqueue(dsl, keyed).id();
        dispatchOne(dsl);
        EffectId newer = producer.enqueue(dsl, keyed).id();

        assertThat(later().requeueStale(dsl, AGE, 3, 10))
                .isEqualTo(new StaleReport(List.of(), List.of(old), List.of()));

        assertThat(stateOf(old)).isEqualTo(EffectState.DONE);
        assertThat(ids(dispatch(dsl, 10))).containsExactly(newer);
    }

    @Test
    void waitsForAnOpenEnqueueOfAKeyAndSupersedesThen() {
        NewEffect keyed = NewEffect.of("repo", "x").withDedupeKey("k");
        EffectId old = producer.enqueue(dsl, keyed).id();
        dispatchOne(dsl);
        Session producing = db.begin(Isolation.READ_COMMITTED);
        producer.enqueue(producing.dsl(), keyed);

        var waiting = db.open()
                .start(context -> later().requeueStale(context, AGE, 3, 10))
                .awaitWaiting();
        producing.commit();

        assertThat(waiting.get()).isEqualTo(new StaleReport(List.of(), List.of(old), List.of()));
        assertThatHeadsAgree();
    }

    @ParameterizedTest
    @EnumSource
    void deletesWhatIsOldEnough(Pruned pruned) {
        List<EffectId> over = over(pruned, 3);
        age(over.get(0), Duration.ofDays(3));
        age(over.get(1), Duration.ofDays(1));

        assertThat(pruned.prune(upkeep, Duration.ofDays(4), 10, dsl)).isZero();
        assertThat(pruned.prune(upkeep, Duration.ofHours(36), 10, dsl)).isEqualTo(1);
        assertThat(allIds()).isEqualTo(over.subList(1, 3));
        assertThat(pruned.prune(upkeep, Duration.ZERO, 10, dsl)).isEqualTo(2);
        assertThat(pruned.prune(upkeep, Duration.ZERO, 10, dsl)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void deletesNoMoreThanTheLimitTheLongestOverFirst(Pruned pruned) {
        List<EffectId> over = over(pruned, 4);
        age(over.get(0), Duration.ofDays(1));
        age(over.get(1), Duration.ofDays(3));
        age(over.get(2), Duration.ofDays(4));
        age(over.get(3), Duration.ofDays(2));

        assertThat(pruned.prune(upkeep, Duration.ZERO, 2, dsl)).isEqualTo(2);

        assertThat(allIds()).containsExactly(over.get(0), over.get(3));
    }

    @ParameterizedTest
    @EnumSource
    void deletesNothingInAnotherState(Pruned pruned) {
        List<EffectId> kept = new ArrayList<>(over(pruned.other(), 1));
        kept.add(enqueue(dsl, "claimed"));
        dispatchOne(dsl);
        kept.add(enqueue(dsl, "enqueued"));
        kept.add(producer.enqueue(dsl, NewEffect.of("scheduled", "x").withDelay(Duration.ofHours(1)))
                .id());

        assertThat(pruned.prune(
                        EffectUpkeep.at(EffectsByHand.clock(dsl).plus(Duration.ofDays(9))), Duration.ZERO, 10, dsl))
                .isZero();

        assertThat(allIds()).isEqualTo(kept);
    }

    @ParameterizedTest
    @EnumSource
    void severalAtOnceDeleteDifferentEffects(Pruned pruned) {
        over(pruned, 5);
        Session first = db.begin(Isolation.READ_COMMITTED);

        assertThat(pruned.prune(upkeep, Duration.ZERO, 2, first.dsl())).isEqualTo(2);
        assertThat(pruned.prune(upkeep, Duration.ZERO, 10, dsl)).isEqualTo(3);
        first.rollback();

        assertThat(pruned.prune(upkeep, Duration.ZERO, 10, dsl)).isEqualTo(2);
    }

    @Test
    void pruneSkipsWhatARedriveHolds() {
        List<EffectId> failed = over(Pruned.FAILED, 2);
        Session redriving = db.begin(Isolation.READ_COMMITTED);
        new EffectOperator().redrive(redriving.dsl(), failed.subList(0, 1));

        assertThat(upkeep.pruneFailed(dsl, Duration.ZERO, 10)).isEqualTo(1);
        redriving.rollback();

        assertThat(allIds()).containsExactly(failed.get(0));
    }

    @Test
    void pruningLeavesTheHeadsAlone() {
        over(Pruned.DONE, 2);
        EffectId waiting = enqueue(dsl, "repo");
        var before = head("repo");

        upkeep.pruneDone(dsl, Duration.ZERO, 10);

        assertThat(head("repo")).isEqualTo(before);
        assertThat(ids(dispatch(dsl, 10))).containsExactly(waiting);
    }

    /** What is pruned. */
    enum Pruned {
        DONE,
        FAILED;

        Pruned other() {
            return this == DONE ? FAILED : DONE;
        }

        int prune(EffectUpkeep upkeep, Duration olderThan, int limit, DSLContext dsl) {
            return this == DONE ? upkeep.pruneDone(dsl, olderThan, limit) : upkeep.pruneFailed(dsl, olderThan, limit);
        }
    }

    private List<EffectId> over(Pruned state, int count) {
        List<EffectId> effects = enqueueMany("repo", count);
        List<EffectClaim> claims = claims(dispatch(dsl, count));
        if (state == Pruned.DONE) {
            consumer.complete(dsl, claims);
        } else {
            consumer.fail(
                    dsl,
                    claims.stream()
                            .map(claim -> new EffectFailure(claim, "poison"))
                            .toList());
        }
        return effects;
    }

    /** As if the effect were over since that long ago. */
    private void age(EffectId effect, Duration age) {
        var endedAt = stateOf(effect) == EffectState.DONE ? EFFECT_QUEUE.DONE_AT : EFFECT_QUEUE.FAILED_AT;
        dsl.update(EFFECT_QUEUE)
                .set(endedAt, EffectsByHand.clock(dsl).minus(age))
                .where(EFFECT_QUEUE.ID.eq(effect))
                .execute();
    }

    private List<EffectId> allIds() {
        return dsl.select(EFFECT_QUEUE.ID)
                .from(EFFECT_QUEUE)
                .orderBy(EFFECT_QUEUE.ID)
                .fetch(EFFECT_QUEUE.ID);
    }

    /** Upkeep at a moment at which every claim of the test is stale. */
    private EffectUpkeep later() {
        return EffectUpkeep.at(EffectsByHand.clock(dsl).plus(Duration.ofMinutes(10)));
    }

    private static StaleReport requeued(EffectId... effects) {
        return new StaleReport(List.of(effects), List.of(), List.of());
    }

    private void assertThatHeadsAgree() {
        assertThat(new EffectAudit().disagreements(dsl, 10)).isEmpty();
    }
}
