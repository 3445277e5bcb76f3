package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.CallAgainException;
import io.lanequeue.StatementFailedException;
import io.lanequeue.effects.EffectReport.Status;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.time.Duration;
import java.util.List;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An effect with a key that is to wait again may meet a newer one: that is its outcome, and no error. */
class PutBackTest extends EffectFixture {

    private static final NewEffect KEYED = NewEffect.of("repo", "x").withDedupeKey("k");

    /** The ways in which a claimed effect waits again. */
    enum PutBack {
        RELEASE {
            @Override
            List<EffectReport> send(EffectConsumer consumer, DSLContext dsl, List<EffectClaim> claims) {
                return consumer.release(dsl, claims);
            }
        },
        RETRY {
            @Override
            List<EffectReport> send(EffectConsumer consumer, DSLContext dsl, List<EffectClaim> claims) {
                return retry(consumer, dsl, claims, Duration.ZERO);
            }
        },
        RETRY_LATER {
            @Override
            List<EffectReport> send(EffectConsumer consumer, DSLContext dsl, List<EffectClaim> claims) {
                return retry(consumer, dsl, claims, Duration.ofHours(1));
            }
        };

        abstract List<EffectReport> send(EffectConsumer consumer, DSLContext dsl, List<EffectClaim> claims);

        static List<EffectReport> retry(
                EffectConsumer consumer, DSLContext dsl, List<EffectClaim> claims, Duration delay) {
            return consumer.retry(
                    dsl,
                    claims.stream()
                            .map(claim -> new EffectRetry(claim, delay, "error"))
                            .toList());
        }
    }

    @ParameterizedTest
    @EnumSource
    void isSupersededByAnEnqueuedOne(PutBack putBack) {
        EffectClaim old = claimed();
        EffectId newer = producer.enqueue(dsl, KEYED).id();

        assertThat(putBack.send(consumer, dsl, List.of(old))).containsExactly(superseded(old, newer));

        assertThat(stateOf(old.effect())).isEqualTo(EffectState.DONE);
        assertThat(effect(old.effect()).getDoneAt()).isNotNull();
        assertThat(effect(old.effect()).getClaimId()).isNull();
        assertThat(effect(old.effect()).getLastError()).isEqualTo("superseded by effect " + newer);
        assertThat(inFlight("repo")).isZero();
        assertThat(ids(dispatch(dsl, 10))).containsExactly(newer);
        assertThatHeadsAgree();
    }

    @ParameterizedTest
    @EnumSource
    void isSupersededByAScheduledOne(PutBack putBack) {
        EffectClaim old = claimed();
        EffectId newer =
                producer.enqueue(dsl, KEYED.withDelay(Duration.ofHours(2))).id();

        assertThat(putBack.send(consumer, dsl, List.of(old))).containsExactly(superseded(old, newer));

        assertThat(stateOf(newer)).isEqualTo(EffectState.SCHEDULED);
        assertThat(head("repo")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void isNotSupersededByOneThatRunsOrIsOverOrOfAnotherRepository(PutBack putBack) {
        EffectClaim old = claimed();
        producer.enqueue(dsl, KEYED);
        consumer.complete(dsl, List.of(dispatchOne(dsl).claim()));
        producer.enqueue(dsl, KEYED);
        dispatchOne(dsl);
        producer.enqueue(dsl, NewEffect.of("other", "x").withDedupeKey("k"));
        producer.enqueue(dsl, NewEffect.of("repo", "x").withDedupeKey("other"));

        assertThat(putBack.send(consumer, dsl, List.of(old))).containsExactly(applied(old));
    }

    @ParameterizedTest
    @EnumSource
    void waitsForAnOpenEnqueueOfItsKeyAndIsThenSuperseded(PutBack putBack) {
        EffectClaim old = claimed();
        Session producing = db.begin(Isolation.READ_COMMITTED);
        EffectId newer = producer.enqueue(producing.dsl(), KEYED).id();

        var waiting = db.open()
                .start(context -> putBack.send(consumer, context, List.of(old)))
                .awaitWaiting();
        producing.commit();

        assertThat(waiting.get()).containsExactly(superseded(old, newer));
        assertThat(stateOf(old.effect())).isEqualTo(EffectState.DONE);
        assertThat(ids(dispatch(dsl, 10))).containsExactly(newer);
        assertThatHeadsAgree();
    }

    @ParameterizedTest
    @EnumSource
    void waitsForAnOpenEnqueueOfItsKeyAndIsAppliedWhenThatIsRolledBack(PutBack putBack) {
        EffectClaim old = claimed();
        Session producing = db.begin(Isolation.READ_COMMITTED);
        producer.enqueue(producing.dsl(), KEYED);

        var waiting = db.open()
                .start(context -> putBack.send(consumer, context, List.of(old)))
                .awaitWaiting();
        producing.rollback();

        assertThat(waiting.get()).containsExactly(applied(old));
        assertThatHeadsAgree();
    }

    @ParameterizedTest
    @EnumSource
    void anEnqueueOfItsKeyWaitsForAnOpenPutBackAndThenGetsIt(PutBack putBack) {
        EffectClaim old = claimed();
        Session session = db.begin(Isolation.READ_COMMITTED);
        putBack.send(consumer, session.dsl(), List.of(old));

        var waiting =
                db.open().start(context -> producer.enqueue(context, KEYED)).awaitWaiting();
        session.commit();

        assertThat(waiting.get()).isEqualTo(new Enqueued(old.effect(), Enqueued.Status.ALREADY_WAITING));
    }

    @ParameterizedTest
    @EnumSource
    void ofTwoWithOneKeyInABatchTheNewerStandsForTheOlder(PutBack putBack) {
        EffectClaim old = claimed();
        EffectClaim newer = claimed();

        assertThat(putBack.send(consumer, dsl, List.of(newer, old)))
                .containsExactly(applied(newer), superseded(old, newer.effect()));

        assertThat(stateOf(old.effect())).isEqualTo(EffectState.DONE);
        assertThatHeadsAgree();
    }

    @ParameterizedTest
    @EnumSource
    void twoWithOneKeyInABatchAreBothSupersededByOneThatWaits(PutBack putBack) {
        EffectClaim old = claimed();
        EffectClaim newer = claimed();
        EffectId newest = producer.enqueue(dsl, KEYED).id();

        assertThat(putBack.send(consumer, dsl, List.of(old, newer)))
                .containsExactly(superseded(old, newest), superseded(newer, newest));
        assertThat(ids(dispatch(dsl, 10))).containsExactly(newest);
    }

    @ParameterizedTest
    @EnumSource
    void ofTwoWithOneKeyAtOnceTheSecondIsSuperseded(PutBack putBack) {
        EffectClaim old = claimed();
        EffectClaim newer = claimed();
        Session first = db.begin(Isolation.READ_COMMITTED);

        assertThat(putBack.send(consumer, first.dsl(), List.of(old))).containsExactly(applied(old));
        var waiting = db.open()
                .start(context -> putBack.send(consumer, context, List.of(newer)))
                .awaitWaiting();
        first.commit();

        assertThat(waiting.get()).containsExactly(superseded(newer, old.effect()));
        assertThatHeadsAgree();
    }

    @ParameterizedTest
    @EnumSource
    void oneThatIsSupersededDoesNotKeepTheOthersOfItsBatch(PutBack putBack) {
        EffectClaim old = claimed();
        enqueueMany("other", 2);
        List<EffectClaim> others = claims(dispatch(dsl, 10));
        EffectId newer = producer.enqueue(dsl, KEYED).id();
        consumer.complete(dsl, others.subList(1, 2));

        assertThat(putBack.send(consumer, dsl, List.of(others.get(1), old, others.get(0))))
                .containsExactly(
                        new EffectReport(others.get(1), Status.CLAIM_LOST, null),
                        superseded(old, newer),
                        applied(others.get(0)));
        assertThatHeadsAgree();
    }

    @ParameterizedTest
    @EnumSource
    void theRaceLeavesTheOthersOfItsBatchApplied(PutBack putBack) {
        EffectClaim old = claimed();
        enqueue(dsl, "other");
        EffectClaim other = dispatchOne(dsl).claim();
        Session producing = db.begin(Isolation.READ_COMMITTED);
        EffectId newer = producer.enqueue(producing.dsl(), KEYED).id();

        var waiting = db.open()
                .start(context -> putBack.send(consumer, context, List.of(other, old)))
                .awaitWaiting();
        producing.commit();

        assertThat(waiting.get()).containsExactly(applied(other), superseded(old, newer));
        assertThatHeadsAgree();
    }

    @ParameterizedTest
    @EnumSource
    void aKeyThatIsNewerThanTheSnapshotIsToBeCalledAgain(PutBack putBack) {
        EffectClaim claim = claimed();
        for (Isolation isolation : List.of(Isolation.REPEATABLE_READ, Isolation.SERIALIZABLE)) {
            Session old = db.begin(isolation).snapshot();
            producer.enqueue(dsl, KEYED);

            assertThatThrownBy(() -> putBack.send(consumer, old.dsl(), List.of(claim)))
                    .isInstanceOfSatisfying(
                            CallAgainException.class,
                            e -> assertThat(e.sqlState()).isEqualTo("40001"));
            old.rollback();
            assertThat(stateOf(claim.effect())).isEqualTo(EffectState.CLAIMED);
            consumer.complete(dsl, claims(dispatch(dsl, 10)));
        }
    }

    /** To look again would change nothing, for ever. */
    /** Taken out: the locks in a statement of their own. */
    @ParameterizedTest
    @EnumSource
    void isNotSupersededByOneThatWasDoneWhileItWaited(PutBack putBack) {
        enqueue(dsl, "repo");
        EffectId keyed = producer.enqueue(dsl, KEYED).id();
        List<EffectClaim> claims = claims(dispatch(dsl, 2));
        producer.enqueue(dsl, KEYED);
        Session extending = db.begin(Isolation.READ_COMMITTED);
        consumer.extend(extending.dsl(), claims.subList(0, 1));
        Session puttingBack = db.begin(Isolation.READ_COMMITTED);

        var waiting = puttingBack
                .start(context -> putBack.send(consumer, context, claims))
                .awaitWaiting();
        consumer.complete(dsl, claims(dispatch(dsl, 1)));
        extending.commit();
        List<EffectReport> reports = waiting.get();
        puttingBack.commit();

        assertThat(reports).extracting(EffectReport::status).containsExactly(Status.APPLIED, Status.APPLIED);
        assertThat(stateOf(keyed)).isIn(EffectState.ENQUEUED, EffectState.SCHEDULED);
        assertThatHeadsAgree();
    }

    @Test
    void isRefusedWhereItViolatesAnIndexOfSomebodyElse() {
        EffectClaim claim = claimed();
        enqueue(dsl, "repo");
        Session session = db.begin(Isolation.READ_COMMITTED);
        session.dsl().execute("create unique index only_one on {0} (repo_id) where state = 'enqueued'", EFFECT_QUEUE);

        assertThatThrownBy(() -> consumer.release(session.dsl(), List.of(claim)))
                .isInstanceOf(StatementFailedException.class)
                .hasMessageContaining("only_one");
    }

    private EffectClaim claimed() {
        producer.enqueue(dsl, KEYED);
        return dispatchOne(dsl).claim();
    }

    private static EffectReport applied(EffectClaim claim) {
        return new EffectReport(claim, Status.APPLIED, null);
    }

    private static EffectReport superseded(EffectClaim claim, EffectId newer) {
        return new EffectReport(claim, Status.SUPERSEDED, newer);
    }

    private void assertThatHeadsAgree() {
        assertThat(new EffectAudit().disagreements(dsl, 10)).isEmpty();
    }
}
