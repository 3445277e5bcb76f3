package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.CallAgainException;
import io.lanequeue.effects.EffectReport.Status;
import io.lanequeue.schema.ClaimId;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.jooq.tables.records.EffectQueueRecord;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Updates;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a worker says about its claims: see also {@link PutBackTest} for effects with a key. */
class ReportTest extends EffectFixture {

    /** The ways to say something about a claim. */
    enum Report {
        COMPLETE(EffectState.DONE) {
            @Override
            List<Status> send(EffectConsumer consumer, DSLContext dsl, List<EffectClaim> claims) {
                return statuses(consumer.complete(dsl, claims));
            }
        },
        COMPLETE_OF_REPO(EffectState.DONE) {
            @Override
            List<Status> send(EffectConsumer consumer, DSLContext dsl, List<EffectClaim> claims) {
                return statuses(consumer.complete(dsl, repo("repo"), claims));
            }
        },
        FAIL(EffectState.FAILED) {
            @Override
            List<Status> send(EffectConsumer consumer, DSLContext dsl, List<EffectClaim> claims) {
                return statuses(consumer.fail(
                        dsl,
                        claims.stream()
                                .map(claim -> new EffectFailure(claim, "error"))
                                .toList()));
            }
        },
        RETRY(EffectState.ENQUEUED) {
            @Override
            List<Status> send(EffectConsumer consumer, DSLContext dsl, List<EffectClaim> claims) {
                return retry(consumer, dsl, claims, Duration.ZERO);
            }
        },
        RETRY_LATER(EffectState.SCHEDULED) {
            @Override
            List<Status> send(EffectConsumer consumer, DSLContext dsl, List<EffectClaim> claims) {
                return retry(consumer, dsl, claims, Duration.ofHours(1));
            }
        },
        RELEASE(EffectState.ENQUEUED) {
            @Override
            List<Status> send(EffectConsumer consumer, DSLContext dsl, List<EffectClaim> claims) {
                return statuses(consumer.release(dsl, claims));
            }
        },
        EXTEND(EffectState.CLAIMED) {
            @Override
            List<Status> send(EffectConsumer consumer, DSLContext dsl, List<EffectClaim> claims) {
                Map<EffectClaim, Instant> extended = consumer.extend(dsl, claims);
                assertThat(claims).containsAll(extended.keySet());
                return claims.stream()
                        .map(claim -> extended.containsKey(claim) ? Status.APPLIED : Status.CLAIM_LOST)
                        .toList();
            }
        };

        final EffectState after;

        Report(EffectState after) {
            this.after = after;
        }

        abstract List<Status> send(EffectConsumer consumer, DSLContext dsl, List<EffectClaim> claims);

        static List<Status> retry(EffectConsumer consumer, DSLContext dsl, List<EffectClaim> claims, Duration delay) {
            return statuses(consumer.retry(
                    dsl,
                    claims.stream()
                            .map(claim -> new EffectRetry(claim, delay, "error"))
                            .toList()));
        }

        static List<Status> statuses(List<EffectReport> reports) {
            assertThat(reports)
                    .allSatisfy(report -> assertThat(report.supersededBy()).isNull());
            return reports.stream().map(EffectReport::status).toList();
        }
    }

    @ParameterizedTest
    @EnumSource
    void appliesToAClaimedEffect(Report report) {
        EffectId id = enqueue(dsl, "repo");
        EffectClaim claim = dispatchOne(dsl).claim();

        assertThat(report.send(consumer, dsl, List.of(claim))).containsExactly(Status.APPLIED);

        EffectQueueRecord effect = effect(id);
        assertThat(effect.getState()).isEqualTo(report.after);
        assertThat(effect.getClaimId()).isEqualTo(report == Report.EXTEND ? claim.id() : null);
        assertThat(effect.getDoneAt() != null).isEqualTo(report.after == EffectState.DONE);
        assertThat(effect.getFailedAt() != null).isEqualTo(report.after == EffectState.FAILED);
        assertThat(effect.getScheduledAt() != null).isEqualTo(report.after == EffectState.SCHEDULED);
        assertThat(inFlight("repo")).isEqualTo(report == Report.EXTEND ? 1 : 0);
        assertThatHeadsAgree();
    }

    @ParameterizedTest
    @EnumSource
    void changesNothingInAnotherStateAndSaysSo(Report report) {
        for (Report before : Report.values()) {
            if (before.after == EffectState.CLAIMED) {
                continue;
            }
            EffectId id = enqueue(dsl, "repo");
            EffectClaim claim = dispatchOne(dsl).claim();
            before.send(consumer, dsl, List.of(claim));
            EffectQueueRecord row = effect(id);

            assertThat(report.send(consumer, dsl, List.of(claim))).containsExactly(Status.CLAIM_LOST);

            assertThat(effect(id)).as("after " + before).isEqualTo(row);
            EffectsByHand.deleteBySql(dsl, id);
        }
    }

    @ParameterizedTest
    @EnumSource
    void changesNothingUnderTheFenceOfAnEarlierClaimAndSaysSo(Report report) {
        EffectId id = enqueue(dsl, "repo");
        ClaimedEffect first = dispatchOne(dsl);
        EffectUpkeep.at(first.claimedAt().plusSeconds(60)).requeueStale(dsl, Duration.ofSeconds(30), 9, 9);
        ClaimedEffect second = dispatchOne(dsl);
        EffectQueueRecord row = effect(id);

        assertThat(report.send(consumer, dsl, List.of(first.claim()))).containsExactly(Status.CLAIM_LOST);

        assertThat(effect(id)).isEqualTo(row);
        assertThat(inFlight("repo")).isEqualTo(1);
        assertThat(report.send(consumer, dsl, List.of(second.claim()))).containsExactly(Status.APPLIED);
    }

    @ParameterizedTest
    @EnumSource
    void saysThatAnEffectThatIsGoneIsLost(Report report) {
        EffectId id = enqueue(dsl, "repo");
        EffectClaim claim = dispatchOne(dsl).claim();
        EffectsByHand.deleteBySql(dsl, id);
        EffectClaim never = new EffectClaim(new EffectId(Long.MAX_VALUE), new ClaimId(Long.MAX_VALUE));

        assertThat(report.send(consumer, dsl, List.of(never, claim)))
                .containsExactly(Status.CLAIM_LOST, Status.CLAIM_LOST);
    }

    @ParameterizedTest
    @EnumSource
    void saysInOrderWhatBecameOfEachOfABatch(Report report) {
        enqueueMany("repo", 6);
        List<EffectClaim> claims = new ArrayList<>(claims(dispatch(dsl, 6)));
        consumer.complete(dsl, List.of(claims.get(1), claims.get(4)));
        EffectClaim wrongFence =
                new EffectClaim(claims.get(2).effect(), claims.get(3).id());
        List<EffectClaim> batch =
                List.of(claims.get(5), claims.get(1), wrongFence, claims.get(0), claims.get(4), claims.get(3));

        assertThat(report.send(consumer, dsl, batch))
                .containsExactly(
                        Status.APPLIED,
                        Status.CLAIM_LOST,
                        Status.CLAIM_LOST,
                        Status.APPLIED,
                        Status.CLAIM_LOST,
                        Status.APPLIED);

        assertThat(stateOf(claims.get(2).effect())).isEqualTo(EffectState.CLAIMED);
        assertThat(stateOf(claims.get(3).effect())).isEqualTo(report.after);
        assertThatHeadsAgree();
    }

    @ParameterizedTest
    @EnumSource
    void sendsNothingForNoClaims(Report report) {
        assertThat(report.send(consumer, DSL.using(SQLDialect.POSTGRES), List.of()))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void refusesABatchThatNamesAnEffectTwice(Report report) {
        EffectId id = enqueue(dsl, "repo");
        EffectClaim claim = dispatchOne(dsl).claim();
        EffectClaim other = new EffectClaim(id, new ClaimId(claim.id().value() - 1));

        for (EffectClaim second : List.of(claim, other)) {
            assertThatThrownBy(() -> report.send(consumer, dsl, List.of(claim, second)))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessage("effect " + id + " must be named once in a batch");
        }

        assertThat(stateOf(id)).isEqualTo(EffectState.CLAIMED);
    }

    @ParameterizedTest
    @EnumSource
    void refusesMoreThanABatch(Report report) {
        List<EffectClaim> tooMany = LongStream.rangeClosed(0, DispatchRequest.MAX_EFFECTS)
                .mapToObj(number -> new EffectClaim(new EffectId(number), new ClaimId(number)))
                .toList();

        assertThatThrownBy(() -> report.send(consumer, DSL.using(SQLDialect.POSTGRES), tooMany))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("number of claims must be from 1 to 10000, but is 10001");
    }

    @ParameterizedTest
    @EnumSource(names = "EXTEND", mode = EnumSource.Mode.EXCLUDE)
    void ofTwoReportsAtOnceOneTakesEffect(Report report) {
        for (Report other : Report.values()) {
            EffectId id = enqueue(dsl, "repo");
            EffectClaim claim = dispatchOne(dsl).claim();
            Session first = db.begin(Isolation.READ_COMMITTED);

            assertThat(report.send(consumer, first.dsl(), List.of(claim))).containsExactly(Status.APPLIED);
            var waiting = db.open()
                    .start(context -> other.send(consumer, context, List.of(claim)))
                    .awaitWaiting();
            first.commit();

            assertThat(waiting.get()).as(other + " after " + report).containsExactly(Status.CLAIM_LOST);
            assertThat(stateOf(id)).isEqualTo(report.after);
            EffectsByHand.deleteBySql(dsl, id);
        }
        assertThatHeadsAgree();
    }

    @ParameterizedTest
    @EnumSource
    void ofTwoReportsAtOnceTheSecondTakesEffectWhenTheFirstIsRolledBack(Report report) {
        EffectId id = enqueue(dsl, "repo");
        EffectClaim claim = dispatchOne(dsl).claim();
        Session first = db.begin(Isolation.READ_COMMITTED);

        consumer.complete(first.dsl(), List.of(claim));
        var waiting = db.open()
                .start(context -> report.send(consumer, context, List.of(claim)))
                .awaitWaiting();
        first.rollback();

        assertThat(waiting.get()).containsExactly(Status.APPLIED);
        assertThat(stateOf(id)).isEqualTo(report.after);
        assertThatHeadsAgree();
    }

    @ParameterizedTest
    @EnumSource
    void aReportAfterAnOpenExtensionTakesEffect(Report report) {
        EffectId id = enqueue(dsl, "repo");
        EffectClaim claim = dispatchOne(dsl).claim();
        Session first = db.begin(Isolation.READ_COMMITTED);

        consumer.extend(first.dsl(), List.of(claim));
        var waiting = db.open()
                .start(context -> report.send(consumer, context, List.of(claim)))
                .awaitWaiting();
        first.commit();

        assertThat(waiting.get()).containsExactly(Status.APPLIED);
        assertThat(stateOf(id)).isEqualTo(report.after);
    }

    @ParameterizedTest
    @EnumSource
    void aClaimThatWasLostSinceTheSnapshotIsToBeCalledAgain(Report report) {
        EffectId id = enqueue(dsl, "repo");
        EffectClaim claim = dispatchOne(dsl).claim();
        Session old = db.begin(Isolation.REPEATABLE_READ).snapshot();
        consumer.complete(dsl, List.of(claim));

        assertThatThrownBy(() -> report.send(consumer, old.dsl(), List.of(claim)))
                .isInstanceOfSatisfying(
                        CallAgainException.class, e -> assertThat(e.sqlState()).isEqualTo("40001"));
        old.rollback();

        assertThat(stateOf(id)).isEqualTo(EffectState.DONE);
    }

    @ParameterizedTest
    @EnumSource(names = "COMPLETE_OF_REPO", mode = EnumSource.Mode.EXCLUDE)
    void servesSeveralRepositoriesAtOnce(Report report) {
        for (int i = 0; i < 30; i++) {
            enqueue(dsl, "repo " + (29 - i) % 10);
        }
        List<EffectClaim> claims = new ArrayList<>(claims(dispatch(dsl, 30)));
        Collections.reverse(claims);

        assertThat(report.send(consumer, dsl, claims)).hasSize(30).containsOnly(Status.APPLIED);

        assertThat(claims)
                .allSatisfy(claim -> assertThat(stateOf(claim.effect())).isEqualTo(report.after));
        assertThatHeadsAgree();
    }

    @Test
    void aScopedCompletionChangesNothingOfOtherRepositories() {
        enqueue(dsl, "repo");
        EffectId theirs = enqueue(dsl, "their repo");
        enqueue(dsl, "repo");
        List<EffectClaim> claims = claims(dispatch(dsl, 3));
        EffectQueueRecord row = effect(theirs);

        assertThat(Report.COMPLETE_OF_REPO.send(consumer, dsl, claims))
                .containsExactly(Status.APPLIED, Status.CLAIM_LOST, Status.APPLIED);
        assertThat(Report.COMPLETE_OF_REPO.send(consumer, dsl, claims.subList(1, 2)))
                .containsExactly(Status.CLAIM_LOST);

        assertThat(effect(theirs)).isEqualTo(row);
        assertThat(inFlight("their repo")).isEqualTo(1);
        assertThat(consumer.complete(dsl, repo("their repo"), claims))
                .extracting(EffectReport::status)
                .containsExactly(Status.CLAIM_LOST, Status.APPLIED, Status.CLAIM_LOST);
    }

    @Test
    void anExtensionSaysSinceWhenTheClaimCounts() {
        enqueue(dsl, "repo");
        ClaimedEffect effect = dispatchOne(dsl);

        Instant since = consumer.extend(dsl, List.of(effect.claim())).get(effect.claim());

        assertThat(since).isAfter(effect.claimedAt()).isBeforeOrEqualTo(EffectsByHand.clock(dsl));
        assertThat(effect(effect.claim().effect()).getClaimedAt()).isEqualTo(since);
    }

    @Test
    void aRetryIsDueAfterItsDelay() {
        EffectId soon = enqueue(dsl, "repo");
        EffectId late = enqueue(dsl, "repo");
        EffectId now = enqueue(dsl, "repo");
        List<EffectClaim> claims = claims(dispatch(dsl, 3));
        Instant moment = EffectsByHand.clock(dsl);

        EffectConsumer.at(moment)
                .retry(
                        dsl,
                        List.of(
                                new EffectRetry(claims.get(2), Duration.ZERO, "c"),
                                new EffectRetry(claims.get(1), Duration.ofDays(365), "b"),
                                new EffectRetry(claims.get(0), Duration.ofMillis(1), "a")));

        assertThat(effect(soon).getScheduledAt()).isEqualTo(moment.plusMillis(1));
        assertThat(effect(late).getScheduledAt()).isEqualTo(moment.plus(Duration.ofDays(365)));
        assertThat(effect(now).getScheduledAt()).isNull();
        assertThat(stateOf(now)).isEqualTo(EffectState.ENQUEUED);
        assertThat(effect(soon).getLastError()).isEqualTo("a");
        assertThat(effect(late).getLastError()).isEqualTo("b");
        assertThat(effect(now).getLastError()).isEqualTo("c");
    }

    @Test
    void onlyAReleaseIsNotCountedAsAnAttempt() {
        enqueue(dsl, "repo");
        for (int attempt = 1; attempt <= 3; attempt++) {
            ClaimedEffect released = dispatchOne(dsl);
            assertThat(released.attempt()).isEqualTo(attempt);
            consumer.release(dsl, List.of(released.claim()));
            ClaimedEffect retried = dispatchOne(dsl);
            assertThat(retried.attempt()).isEqualTo(attempt);
            consumer.retry(dsl, List.of(new EffectRetry(retried.claim(), Duration.ZERO, "error")));
        }
    }

    @Test
    void aReleaseKeepsTheErrorOfTheAttemptBefore() {
        enqueue(dsl, "repo");
        consumer.retry(dsl, List.of(new EffectRetry(dispatchOne(dsl).claim(), Duration.ZERO, "first")));
        consumer.release(dsl, List.of(dispatchOne(dsl).claim()));

        assertThat(dispatchOne(dsl).lastError()).isEqualTo("first");
    }

    /** Taken out: that only waiting effects move the head, in migration 5. Each completion then changes an index. */
    @Test
    void aCompletionChangesNoIndexOfTheHeads() {
        EffectId head = enqueueMany("repo", 3).get(1);
        ClaimedEffect claimed = dispatch(dsl, 1).get(0);
        assertThat(head("repo").orElseThrow().getHeadId()).isEqualTo(head);
        Session worker = db.begin(Isolation.READ_COMMITTED);

        consumer.complete(worker.dsl(), List.of(claimed.claim()));

        assertThat(Updates.of(worker, EFFECT_QUEUE_REPO_HEADS)).isEqualTo(new Updates(1, 1));
        worker.commit();
        assertThat(head("repo").orElseThrow().getHeadId()).isEqualTo(head);
        assertThat(inFlight("repo")).isZero();
    }

    @Test
    void aReleaseMovesTheHeadBack() {
        List<EffectId> effects = enqueueMany("repo", 2);
        ClaimedEffect claimed = dispatch(dsl, 1).get(0);

        consumer.release(dsl, List.of(claimed.claim()));

        assertThat(head("repo").orElseThrow().getHeadId()).isEqualTo(effects.get(0));
    }

    @Test
    void anEffectThatComesBackIsClaimedInItsOldPlace() {
        List<EffectId> effects = enqueueMany("repo", 4);
        List<EffectClaim> claims = claims(dispatch(dsl, 3));

        consumer.release(dsl, claims.subList(1, 2));
        consumer.retry(dsl, List.of(new EffectRetry(claims.get(0), Duration.ZERO, "error")));

        assertThat(ids(dispatch(dsl, 10))).containsExactly(effects.get(0), effects.get(1), effects.get(3));
    }

    private void assertThatHeadsAgree() {
        assertThat(new EffectAudit().disagreements(dsl, 10)).isEmpty();
    }
}
