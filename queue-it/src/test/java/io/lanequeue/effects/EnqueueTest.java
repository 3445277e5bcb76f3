package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.CallAgainException;
import io.lanequeue.effects.Enqueued.Status;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EnqueueTest extends EffectFixture {

    private static final NewEffect KEYED = NewEffect.of("repo", "x").withDedupeKey("k");
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void givesIdsInTheOrderOfTheList() {
        List<NewEffect> effects = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            effects.add(NewEffect.of("repo " + (300 - i) % 7, "payload " + i));
        }

        List<Enqueued> enqueued = producer.enqueueAll(dsl, effects);

        assertThat(enqueued).extracting(Enqueued::status).containsOnly(Status.ADDED);
        assertThat(enqueued).extracting(Enqueued::id).isSorted().doesNotHaveDuplicates();
        assertThat(dispatch(dsl, 1_000))
                .extracting(ClaimedEffect::payload)
                .isEqualTo(effects.stream().map(NewEffect::payload).toList());
    }

    @Test
    void oneCallServesManyRepositories() {
        List<NewEffect> effects = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            effects.add(NewEffect.of("repo " + i, "{}"));
        }

        producer.enqueueAll(dsl, effects);

        assertThat(dsl.fetchCount(EFFECT_QUEUE_REPO_HEADS)).isEqualTo(200);
        assertThat(dispatch(dsl, 1_000, 1))
                .extracting(effect -> effect.repoId().value())
                .isEqualTo(
                        effects.stream().map(effect -> effect.repoId().value()).toList());
    }

    @Test
    void tellsEffectsWithAndWithoutKeysApartInOneBatch() {
        EffectId standing = producer.enqueue(dsl, KEYED).id();

        List<Enqueued> enqueued = producer.enqueueAll(
                dsl,
                List.of(
                        NewEffect.of("repo", "first"),
                        NewEffect.of("repo", "second").withDedupeKey("new"),
                        KEYED,
                        NewEffect.of("repo", "fourth"),
                        NewEffect.of("other", "fifth").withDedupeKey("k"),
                        NewEffect.of("repo", "sixth")));

        assertThat(enqueued)
                .extracting(Enqueued::status)
                .containsExactly(
                        Status.ADDED, Status.ADDED, Status.ALREADY_WAITING, Status.ADDED, Status.ADDED, Status.ADDED);
        assertThat(enqueued.get(2).id()).isEqualTo(standing);
        assertThat(payloads(enqueued)).containsExactly("first", "second", "x", "fourth", "fifth", "sixth");
        assertThat(dsl.fetchCount(EFFECT_QUEUE)).isEqualTo(6);
    }

    @Test
    void theFirstOfAKeyInABatchStandsForTheOthers() {
        NewEffect first = NewEffect.of("repo", "first").withDedupeKey("k");
        NewEffect second = NewEffect.of("repo", "second").withDedupeKey("k");
        NewEffect foreign = NewEffect.of("other", "third").withDedupeKey("k");

        List<Enqueued> enqueued =
                producer.enqueueAll(dsl, List.of(first, second, NewEffect.of("repo", "y"), foreign, second));

        EffectId standing = enqueued.get(0).id();
        assertThat(enqueued.get(0)).isEqualTo(new Enqueued(standing, Status.ADDED));
        assertThat(enqueued.get(1)).isEqualTo(new Enqueued(standing, Status.ALREADY_WAITING));
        assertThat(enqueued.get(4)).isEqualTo(new Enqueued(standing, Status.ALREADY_WAITING));
        assertThat(payloads(enqueued)).containsExactly("first", "first", "y", "third", "first");
        assertThat(dsl.fetchCount(EFFECT_QUEUE)).isEqualTo(3);
    }

    @Test
    void aScheduledEffectWaitsToo() {
        Enqueued later = producer.enqueue(dsl, KEYED.withDelay(HOUR));
        Instant due = effect(later.id()).getScheduledAt();

        assertThat(producer.enqueue(dsl, KEYED)).isEqualTo(new Enqueued(later.id(), Status.ALREADY_WAITING));

        assertThat(stateOf(later.id())).isEqualTo(EffectState.SCHEDULED);
        assertThat(effect(later.id()).getScheduledAt()).isEqualTo(due);
        assertThat(head("repo")).isEmpty();
    }

    @Test
    void theStandingEffectKeepsItsPayload() {
        EffectId standing = producer.enqueue(dsl, KEYED).id();

        producer.enqueue(dsl, NewEffect.of("repo", "y").withDedupeKey("k"));

        assertThat(effect(standing).getPayload()).isEqualTo("x");
    }

    @Test
    void whatRunsOrIsOverDoesNotStandForAnything() {
        producer.enqueue(dsl, KEYED);
        ClaimedEffect running = dispatchOne(dsl);
        assertThat(producer.enqueue(dsl, KEYED).status()).isEqualTo(Status.ADDED);

        ClaimedEffect second = dispatchOne(dsl);
        consumer.complete(dsl, List.of(running.claim()));
        consumer.fail(dsl, List.of(new EffectFailure(second.claim(), "poison")));
        assertThat(producer.enqueue(dsl, KEYED).status()).isEqualTo(Status.ADDED);
        assertThat(dsl.fetchCount(EFFECT_QUEUE)).isEqualTo(3);
    }

    @Test
    void theStandingEffectIsNotClaimedBeforeTheTransactionEnds() {
        EffectId standing = producer.enqueue(dsl, KEYED).id();
        Session producing = db.begin(Isolation.READ_COMMITTED);
        assertThat(producer.enqueue(producing.dsl(), KEYED).id()).isEqualTo(standing);

        assertThat(dispatch(dsl, 10)).isEmpty();
        assertThat(consumer.claim(dsl, new RepoClaimRequest(repo("repo"), "me", 10)))
                .isEmpty();
        producing.commit();

        assertThat(ids(dispatch(dsl, 10))).containsExactly(standing);
    }

    @Test
    void theStandingScheduledEffectIsNotClaimedBeforeTheTransactionEnds() {
        EffectId standing = producer.enqueue(dsl, KEYED.withDelay(HOUR)).id();
        Session producing = db.begin(Isolation.READ_COMMITTED);
        producer.enqueue(producing.dsl(), KEYED);
        EffectConsumer inAnHour = EffectConsumer.at(effect(standing).getScheduledAt());

        assertThat(inAnHour.dispatch(dsl, DispatchRequest.by("d"))).isEmpty();
        producing.rollback();

        assertThat(ids(inAnHour.dispatch(dsl, DispatchRequest.by("d")))).containsExactly(standing);
    }

    @Test
    void ofTwoThatEnqueueAKeyAtOnceTheSecondWaitsAndGetsTheFirst() {
        Session first = db.begin(Isolation.READ_COMMITTED);
        Session second = db.begin(Isolation.READ_COMMITTED);

        Enqueued one = producer.enqueue(first.dsl(), KEYED);
        var waiting = second.start(context -> producer.enqueue(context, KEYED)).awaitWaiting();
        first.commit();

        assertThat(waiting.get()).isEqualTo(new Enqueued(one.id(), Status.ALREADY_WAITING));
        second.commit();
        assertThat(ids(dispatch(dsl, 10))).containsExactly(one.id());
    }

    @Test
    void ofTwoThatEnqueueAKeyAtOnceTheSecondIsAddedWhenTheFirstIsRolledBack() {
        Session first = db.begin(Isolation.READ_COMMITTED);
        Session second = db.begin(Isolation.READ_COMMITTED);

        producer.enqueue(first.dsl(), KEYED);
        var waiting = second.start(context -> producer.enqueue(context, KEYED)).awaitWaiting();
        first.rollback();

        assertThat(waiting.get().status()).isEqualTo(Status.ADDED);
        second.commit();
        assertThat(ids(dispatch(dsl, 10))).containsExactly(waiting.get().id());
    }

    @Test
    void waitsForAnOpenClaimOfTheStandingEffectAndIsAddedAfterIt() {
        EffectId standing = producer.enqueue(dsl, KEYED).id();
        Session claiming = db.begin(Isolation.READ_COMMITTED);
        dispatch(claiming.dsl(), 1);

        var waiting =
                db.open().start(context -> producer.enqueue(context, KEYED)).awaitWaiting();
        claiming.commit();

        assertThat(waiting.get().status()).isEqualTo(Status.ADDED);
        assertThat(waiting.get().id()).isGreaterThan(standing);
        assertThat(ids(dispatch(dsl, 10))).containsExactly(waiting.get().id());
    }

    @Test
    void waitsForAnOpenClaimOfTheStandingEffectAndGetsItWhenThatIsRolledBack() {
        EffectId standing = producer.enqueue(dsl, KEYED).id();
        Session claiming = db.begin(Isolation.READ_COMMITTED);
        dispatch(claiming.dsl(), 1);

        var waiting =
                db.open().start(context -> producer.enqueue(context, KEYED)).awaitWaiting();
        claiming.rollback();

        assertThat(waiting.get()).isEqualTo(new Enqueued(standing, Status.ALREADY_WAITING));
    }

    @ParameterizedTest
    @EnumSource(names = "READ_COMMITTED", mode = EnumSource.Mode.EXCLUDE)
    void aKeyThatIsNewerThanTheSnapshotIsToBeCalledAgain(Isolation isolation) {
        Session old = db.begin(isolation).snapshot();
        producer.enqueue(dsl, KEYED);

        assertThatThrownBy(() -> producer.enqueue(old.dsl(), KEYED))
                .isInstanceOfSatisfying(
                        CallAgainException.class, e -> assertThat(e.sqlState()).isEqualTo("40001"));
        old.rollback();

        assertThat(dsl.fetchCount(EFFECT_QUEUE)).isEqualTo(1);
    }

    /** The first waits for a third transaction, so that the second can take the last key before it. */
    @Test
    void ofTwoBatchesWithKeysInOppositeOrderOneIsToBeCalledAgain() {
        NewEffect a = NewEffect.of("repo", "a").withDedupeKey("a");
        NewEffect b = NewEffect.of("repo", "b").withDedupeKey("b");
        NewEffect c = NewEffect.of("repo", "c").withDedupeKey("c");
        Session third = db.begin(Isolation.READ_COMMITTED);
        producer.enqueue(third.dsl(), b);

        var first = db.open().start(attempt(List.of(a, b, c))).awaitWaiting();
        var second = db.open().start(attempt(List.of(c, a))).awaitWaiting();
        third.rollback();

        assertThat(List.of(first.get(), second.get())).containsExactlyInAnyOrder("enqueued", "40P01");
        assertThat(dsl.fetchCount(EFFECT_QUEUE)).isBetween(2, 3);
    }

    private Function<DSLContext, String> attempt(List<NewEffect> effects) {
        return context -> {
            try {
                producer.enqueueAll(context, effects);
                return "enqueued";
            } catch (CallAgainException e) {
                return e.sqlState();
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void anOpenEnqueueHoldsUpNeitherAClaimNorACompletion(Isolation isolation) {
        EffectId before = enqueue(dsl, "repo");
        Session producing = db.begin(isolation);
        EffectId open = enqueue(producing.dsl(), "repo");

        ClaimedEffect claimed = dispatchOne(dsl);
        assertThat(claimed.claim().effect()).isEqualTo(before);
        consumer.complete(dsl, List.of(claimed.claim()));
        assertThat(dispatch(dsl, 10)).isEmpty();
        producing.commit();

        assertThat(ids(dispatch(dsl, 10))).containsExactly(open);
    }

    @Test
    void nothingRemainsOfARollback() {
        Session session = db.begin(Isolation.READ_COMMITTED);
        producer.enqueueAll(session.dsl(), List.of(KEYED, NewEffect.of("other", "y")));
        session.rollback();

        assertThat(dsl.fetchCount(EFFECT_QUEUE)).isZero();
        assertThat(dsl.fetchCount(EFFECT_QUEUE_REPO_HEADS)).isZero();
        assertThat(producer.enqueue(dsl, KEYED).status()).isEqualTo(Status.ADDED);
    }

    @Test
    void sendsNothingForNoEffects() {
        assertThat(producer.enqueueAll(DSL.using(SQLDialect.POSTGRES), List.of()))
                .isEmpty();
    }

    @Test
    void anInsertBySqlCountsToo() {
        EffectId byHand = dsl.insertInto(
                        EFFECT_QUEUE,
                        EFFECT_QUEUE.REPO_ID,
                        EFFECT_QUEUE.PAYLOAD,
                        EFFECT_QUEUE.STATE,
                        EFFECT_QUEUE.DEDUPE_KEY)
                .values(repo("repo"), "x", EffectState.ENQUEUED, "k")
                .returningResult(EFFECT_QUEUE.ID)
                .fetchSingle()
                .value1();

        assertThat(producer.enqueue(dsl, KEYED)).isEqualTo(new Enqueued(byHand, Status.ALREADY_WAITING));
        ClaimedEffect claimed = dispatchOne(dsl);
        assertThat(claimed.claim().effect()).isEqualTo(byHand);
        assertThat(claimed.attempt()).isEqualTo(1);
        assertThat(inFlight("repo")).isEqualTo(1);
    }

    @Test
    void anInsertBySqlOfAKeyThatWaitsIsRefused() {
        producer.enqueue(dsl, KEYED.withDelay(HOUR));

        assertThatThrownBy(() -> dsl.insertInto(
                                EFFECT_QUEUE,
                                EFFECT_QUEUE.REPO_ID,
                                EFFECT_QUEUE.PAYLOAD,
                                EFFECT_QUEUE.STATE,
                                EFFECT_QUEUE.DEDUPE_KEY)
                        .values(repo("repo"), "y", EffectState.ENQUEUED, "k")
                        .execute())
                .isInstanceOfSatisfying(
                        DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo("23505"))
                .hasMessageContaining("effect_queue_dedupe_idx");
    }

    @Test
    void aDelayCountsFromTheEnqueue() {
        Instant before = EffectsByHand.clock(dsl);
        EffectId later =
                producer.enqueue(dsl, NewEffect.of("repo", "x").withDelay(HOUR)).id();
        Instant after = EffectsByHand.clock(dsl);

        assertThat(stateOf(later)).isEqualTo(EffectState.SCHEDULED);
        Instant due = effect(later).getScheduledAt();
        assertThat(due).isBetween(before.plus(HOUR), after.plus(HOUR));
        assertThat(EffectConsumer.at(due.minusMillis(1)).dispatch(dsl, DispatchRequest.by("d")))
                .isEmpty();
        assertThat(ids(EffectConsumer.at(due).dispatch(dsl, DispatchRequest.by("d"))))
                .containsExactly(later);
    }

    @Test
    void anEffectThatIsDueComesInTheOrderOfItsId() {
        EffectId first = producer.enqueue(dsl, NewEffect.of("repo", "x").withDelay(Duration.ZERO))
                .id();
        EffectId second = enqueue(dsl, "repo");

        assertThat(ids(dispatch(dsl, 10))).containsExactly(first, second);
    }

    @Test
    void theLongestDelayIsKeptExactly() {
        Duration longest = Duration.ofDays(3650);
        EffectId later = producer.enqueue(dsl, NewEffect.of("repo", "x").withDelay(longest))
                .id();
        Instant due = effect(later).getScheduledAt();

        assertThat(Duration.between(effect(later).getEnqueuedAt(), due))
                .isBetween(longest.minusSeconds(60), longest.plusSeconds(60));
    }

    private List<String> payloads(List<Enqueued> enqueued) {
        return enqueued.stream().map(effect -> effect(effect.id()).getPayload()).toList();
    }
}
