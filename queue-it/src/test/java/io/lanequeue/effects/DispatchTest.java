package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.RepoId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DispatchTest extends EffectFixture {

    @Test
    void claimsTheOldestAcrossEveryRepository() {
        List<EffectId> effects = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            effects.add(enqueue(dsl, "repo " + i % 3));
        }

        List<ClaimedEffect> claimed = dispatch(dsl, 7);

        assertThat(ids(claimed)).isEqualTo(effects.subList(0, 7));
        assertThat(claimed).allSatisfy(effect -> assertThat(effect.attempt()).isEqualTo(1));
        assertThat(inFlight("repo 0")).isEqualTo(3);
        assertThat(inFlight("repo 1")).isEqualTo(2);
        assertThat(ids(dispatch(dsl, 100))).isEqualTo(effects.subList(7, 12));
        assertThat(dispatch(dsl, 100)).isEmpty();
    }

    @Test
    void carriesWhatTheWorkerNeeds() {
        producer.enqueue(dsl, NewEffect.of("a/b", "build ü€𝄞 {1}"));

        ClaimedEffect effect = dispatchOne(dsl);

        assertThat(effect.repoId()).isEqualTo(repo("a/b"));
        assertThat(effect.payload()).isEqualTo("build ü€𝄞 {1}");
        assertThat(effect.lastError()).isNull();
        assertThat(effect.claimedAt()).isAfterOrEqualTo(effect.enqueuedAt());
    }

    /** Where a plan asks for the same rows again, nothing is claimed twice or beyond the limit. */
    @Test
    void keepsTheLimitAndTheCapInNestedLoops() {
        enqueueMany("big", 60);
        for (int i = 0; i < 100; i++) {
            enqueue(dsl, "repo " + i);
        }
        Session session = db.begin(Isolation.READ_COMMITTED);
        for (String kind : List.of("hashjoin", "mergejoin", "material", "sort")) {
            session.dsl().execute("set local enable_" + kind + " = off");
        }

        List<ClaimedEffect> claimed = dispatch(session.dsl(), 50, 3);
        List<ClaimedEffect> more = dispatch(session.dsl(), 50, 3);

        assertThat(claimed).hasSize(50);
        assertThat(more).hasSize(50);
        assertThat(claimed)
                .filteredOn(effect -> effect.repoId().equals(repo("big")))
                .hasSize(3);
        assertThat(more)
                .filteredOn(effect -> effect.repoId().equals(repo("big")))
                .isEmpty();
        session.rollback();
    }

    @Test
    void neverPassesTheCap() {
        enqueueMany("big", 20);
        EffectId small = enqueue(dsl, "small");

        List<ClaimedEffect> first = dispatch(dsl, 10, 3);
        assertThat(first).hasSize(4);
        assertThat(ids(first)).contains(small);
        assertThat(dispatch(dsl, 10, 3)).isEmpty();

        consumer.complete(dsl, claims(first.subList(0, 1)));
        assertThat(dispatch(dsl, 10, 3)).hasSize(1);
        assertThat(inFlight("big")).isEqualTo(3);
    }

    @Test
    void fillsAClaimFromManyRepositoriesThoughEachHasADeepBacklogAndACap() {
        for (int i = 0; i < 20; i++) {
            enqueueMany("repo " + i, 30);
        }

        List<ClaimedEffect> claimed = dispatch(dsl, 10, 1);

        assertThat(claimed)
                .extracting(ClaimedEffect::repoId)
                .doesNotHaveDuplicates()
                .hasSize(10);
        assertThat(dispatch(dsl, 10, 1)).hasSize(10);
        assertThat(dispatch(dsl, 10, 1)).isEmpty();
    }

    /** Taken out: the bound of DispatchStatement. It then reads as many effects of each repository as it may claim. */
    @Test
    void readsNoFurtherThanTheEffectsItCanTake() {
        List<EffectId> effects = new ArrayList<>(enqueueMany("repo 0", 3));
        producer.enqueueAll(
                        dsl,
                        IntStream.range(0, 1_000)
                                .mapToObj(i -> NewEffect.of("repo " + i % 100, "{}"))
                                .toList())
                .forEach(enqueued -> effects.add(enqueued.id()));
        Session dispatcher = db.begin(Isolation.READ_COMMITTED);
        long before = entriesRead(dispatcher);

        assertThat(ids(dispatch(dispatcher.dsl(), 50))).isEqualTo(effects.subList(0, 50));

        assertThat(entriesRead(dispatcher) - before).isLessThan(300);
    }

    /** Their heads name no effect until the next report. Taken out: the walk of the heads that do. */
    @Test
    void claimsTheOldestThoughManyRepositoriesHaveAnotherInFlight() {
        IntStream.range(0, 40).forEach(i -> enqueue(dsl, "busy " + i));
        dispatch(dsl, 40);
        EffectId oldest = enqueue(dsl, "quiet");
        IntStream.range(0, 40).forEach(i -> enqueue(dsl, "busy " + i));

        assertThat(ids(dispatch(dsl, 1))).containsExactly(oldest);
    }

    @Test
    void claimsTheOldestThoughManyEffectsFailAndBecomeDueAgain() {
        EffectId oldest = enqueue(dsl, "quiet");
        IntStream.range(0, 40).forEach(i -> enqueue(dsl, "failing " + i));
        List<ClaimedEffect> failing =
                consumer.dispatch(dsl, DispatchRequest.by("d").withLimit(40).excluding(Set.of(repo("quiet"))));
        consumer.retry(
                dsl,
                failing.stream()
                        .map(effect -> new EffectRetry(effect.claim(), Duration.ofHours(1), "by the test"))
                        .toList());

        List<ClaimedEffect> claimed = EffectConsumer.at(Instant.now().plus(Duration.ofDays(1)))
                .dispatch(dsl, DispatchRequest.by("d").withLimit(1));

        assertThat(ids(claimed)).containsExactly(oldest);
    }

    /** Taken out: the effect that the head gets from the promotion. */
    @Test
    void theHeadOfARepositoryWithADueEffectNamesIt() {
        NewEffect due = NewEffect.of("due", "x").withDelay(Duration.ZERO);
        producer.enqueue(dsl, NewEffect.of("other", "x").withDelay(Duration.ZERO));
        EffectId first = producer.enqueue(dsl, due).id();
        producer.enqueue(dsl, due);

        dispatch(dsl, 1);

        assertThat(head("due").orElseThrow().getHeadId()).isEqualTo(first);
    }

    /** Taken out: the look for what waits, in the choice of heads to settle. */
    @Test
    void settlesAHeadThoughManyOthersHaveNoKnownEffectAndStay() {
        Set<RepoId> paused = new HashSet<>();
        for (int i = 0; i < 101; i++) {
            enqueue(dsl, "a" + i);
            paused.add(repo("a" + i));
        }
        dsl.update(EFFECT_QUEUE_REPO_HEADS)
                .setNull(EFFECT_QUEUE_REPO_HEADS.HEAD_ID)
                .execute();
        dsl.insertInto(EFFECT_QUEUE_REPO_HEADS, EFFECT_QUEUE_REPO_HEADS.REPO_ID)
                .values(repo("z"))
                .execute();

        consumer.dispatch(dsl, DispatchRequest.by("d").excluding(paused));

        assertThat(head("z")).isEmpty();
        assertThat(dsl.fetchCount(EFFECT_QUEUE_REPO_HEADS)).isEqualTo(101);
    }

    @Test
    void leavesOutExcludedRepositories() {
        enqueueMany("noisy", 5);
        EffectId other = enqueue(dsl, "other");

        List<ClaimedEffect> claimed =
                consumer.dispatch(dsl, DispatchRequest.by("d").excluding(Set.of(repo("noisy"), repo("unknown"))));

        assertThat(ids(claimed)).containsExactly(other);
    }

    @Test
    void claimsTheOldestOfOneRepository() {
        enqueueMany("other", 3);
        List<EffectId> effects = enqueueMany("mine", 5);

        List<ClaimedEffect> claimed = consumer.claim(dsl, new RepoClaimRequest(repo("mine"), "me", 3));

        assertThat(ids(claimed)).isEqualTo(effects.subList(0, 3));
        assertThat(consumer.claim(dsl, new RepoClaimRequest(repo("unknown"), "me", 3)))
                .isEmpty();
    }

    @Test
    void claimsADueEffectWithoutAnyonesHelp() {
        EffectId later = producer.enqueue(dsl, NewEffect.of("repo", "x").withDelay(Duration.ofHours(1)))
                .id();
        assertThat(stateOf(later)).isEqualTo(EffectState.SCHEDULED);
        assertThat(dispatch(dsl, 10)).isEmpty();

        EffectConsumer inAnHour = EffectConsumer.at(effect(later).getScheduledAt());
        assertThat(ids(inAnHour.dispatch(dsl, DispatchRequest.by("d")))).containsExactly(later);
    }

    @Test
    void twoDispatchersGetDifferentEffectsAndKeepTheCapTogether() {
        enqueueMany("big", 20);
        Session first = db.begin(Isolation.READ_COMMITTED);
        Session second = db.begin(Isolation.READ_COMMITTED);

        List<ClaimedEffect> one = dispatch(first.dsl(), 2, 3);
        List<ClaimedEffect> two = dispatch(second.dsl(), 2, 3);
        first.commit();
        List<ClaimedEffect> three = dispatch(second.dsl(), 2, 3);
        second.commit();

        assertThat(one).hasSize(2);
        assertThat(two).as("the head is held").isEmpty();
        assertThat(three).hasSize(1);
        assertThat(ids(one)).doesNotContainAnyElementsOf(ids(three));
    }

    @Test
    void completesOnceAndTellsTheLate() {
        enqueueMany("repo", 2);
        List<ClaimedEffect> claimed = dispatch(dsl, 2);

        assertThat(consumer.complete(dsl, claims(claimed)))
                .extracting(EffectReport::status)
                .containsOnly(EffectReport.Status.APPLIED);
        assertThat(consumer.complete(dsl, claims(claimed)))
                .extracting(EffectReport::status)
                .containsOnly(EffectReport.Status.CLAIM_LOST);
        assertThat(head("repo")).isEmpty();
        assertThat(stateOf(ids(claimed).get(0))).isEqualTo(EffectState.DONE);
    }

    @Test
    void completesOnlyEffectsOfTheGivenRepository() {
        enqueue(dsl, "mine");
        enqueue(dsl, "theirs");
        List<ClaimedEffect> claimed = dispatch(dsl, 2);

        List<EffectReport> reports = consumer.complete(dsl, repo("mine"), claims(claimed));

        assertThat(reports)
                .extracting(EffectReport::status)
                .containsExactly(EffectReport.Status.APPLIED, EffectReport.Status.CLAIM_LOST);
        assertThat(inFlight("theirs")).isEqualTo(1);
    }

    @Test
    void retriesLaterWithTheErrorKept() {
        EffectId id = enqueue(dsl, "repo");
        ClaimedEffect first = dispatchOne(dsl);

        consumer.retry(dsl, List.of(new EffectRetry(first.claim(), Duration.ofMinutes(5), "no route")));

        assertThat(stateOf(id)).isEqualTo(EffectState.SCHEDULED);
        assertThat(dispatch(dsl, 10)).isEmpty();
        ClaimedEffect second = EffectConsumer.at(effect(id).getScheduledAt())
                .dispatch(dsl, DispatchRequest.by("d"))
                .get(0);
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(second.lastError()).isEqualTo("no route");
        assertThat(second.claim().id()).isGreaterThan(first.claim().id());
    }

    @Test
    void releasesWithoutCountingTheAttempt() {
        enqueue(dsl, "repo");
        consumer.release(dsl, claims(dispatch(dsl, 1)));

        assertThat(dispatchOne(dsl).attempt()).isEqualTo(1);
    }

    @Test
    void failsForGood() {
        EffectId id = enqueue(dsl, "repo");
        consumer.fail(dsl, List.of(new EffectFailure(dispatchOne(dsl).claim(), "poison")));

        assertThat(stateOf(id)).isEqualTo(EffectState.FAILED);
        assertThat(effect(id).getLastError()).isEqualTo("poison");
        assertThat(head("repo")).isEmpty();
    }

    @Test
    void requeuesStaleClaimsInOrderAndFailsThoseThatUsedUpTheirAttempts() {
        List<EffectId> effects = enqueueMany("repo", 3);
        ClaimedEffect worn = dispatch(dsl, 1).get(0);
        consumer.retry(dsl, List.of(new EffectRetry(worn.claim(), Duration.ZERO, "first")));
        List<ClaimedEffect> claimed = dispatch(dsl, 2);
        assertThat(ids(claimed)).isEqualTo(effects.subList(0, 2));

        assertThat(upkeep.requeueStale(dsl, Duration.ofMinutes(5), 2, 10).taken())
                .isZero();
        StaleReport report = EffectUpkeep.at(claimed.get(0).claimedAt().plus(Duration.ofMinutes(6)))
                .requeueStale(dsl, Duration.ofMinutes(5), 2, 10);

        assertThat(report).isEqualTo(new StaleReport(List.of(effects.get(1)), List.of(), List.of(effects.get(0))));
        List<ClaimedEffect> again = dispatch(dsl, 10);
        assertThat(ids(again)).isEqualTo(effects.subList(1, 3));
        assertThat(again.get(0).attempt()).isEqualTo(2);
        assertThat(inFlight("repo")).isEqualTo(2);
    }

    @Test
    void anExtendedClaimIsNotStale() {
        enqueue(dsl, "repo");
        ClaimedEffect effect = dispatchOne(dsl);
        var later = effect.claimedAt().plus(Duration.ofMinutes(6));

        assertThat(EffectConsumer.at(later).extend(dsl, List.of(effect.claim())))
                .containsEntry(effect.claim(), later);
        assertThat(EffectUpkeep.at(later)
                        .requeueStale(dsl, Duration.ofMinutes(5), 2, 10)
                        .taken())
                .isZero();
    }

    @Test
    void aSecondEffectOfTheSameKeyIsNotAddedWhileTheFirstWaits() {
        NewEffect keyed = NewEffect.of("repo", "x").withDedupeKey("k");
        Enqueued first = producer.enqueue(dsl, keyed);
        assertThat(first.status()).isEqualTo(Enqueued.Status.ADDED);
        assertThat(producer.enqueue(dsl, keyed)).isEqualTo(new Enqueued(first.id(), Enqueued.Status.ALREADY_WAITING));

        dispatchOne(dsl);
        assertThat(producer.enqueue(dsl, keyed).status()).isEqualTo(Enqueued.Status.ADDED);
    }

    @Test
    void anEffectThatComesBackIsSupersededByANewerOneOfItsKey() {
        NewEffect keyed = NewEffect.of("repo", "x").withDedupeKey("k");
        producer.enqueue(dsl, keyed);
        ClaimedEffect old = dispatchOne(dsl);
        EffectId newer = producer.enqueue(dsl, keyed).id();

        EffectReport report = consumer.release(dsl, List.of(old.claim())).get(0);

        assertThat(report).isEqualTo(new EffectReport(old.claim(), EffectReport.Status.SUPERSEDED, newer));
        assertThat(stateOf(old.claim().effect())).isEqualTo(EffectState.DONE);
        assertThat(ids(dispatch(dsl, 10))).containsExactly(newer);
    }
}
