package io.lanequeue.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.schema.ClaimId;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.RepoId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused before anything is sent, and that the message says what was wrong and what it has to be. */
class EffectInputTest {

    private static final String HALF_PAIR = "a\uD83D";

    /** Has no connection: whatever is sent fails otherwise. */
    private final DSLContext dsl = DSL.using(SQLDialect.POSTGRES);

    private final RepoId repo = new RepoId("repo");
    private final EffectClaim claim = new EffectClaim(new EffectId(1), new ClaimId(1));
    private final EffectOperator operator = new EffectOperator();
    private final EffectUpkeep upkeep = new EffectUpkeep();

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n", "\u2003"})
    void aRepositoryIsNotBlank(String name) {
        String message = "repository must have 1 to 255 characters and not be blank";
        assertThatItIsRefused(() -> new RepoId(name), "repository", message);
        assertThatItIsRefused(() -> NewEffect.of(name, "{}"), "repository", message);
    }

    @Test
    void aRepositoryIsAShortText() {
        assertThat(new RepoId("x".repeat(255)).value()).hasSize(255);
        assertThatItIsRefused(
                () -> new RepoId("x".repeat(256)),
                "repository",
                "repository must have 1 to 255 characters and not be blank");
        for (String name : List.of("a\0", "\0", HALF_PAIR, "\uDE00", "\uDE00\uD83D")) {
            assertThatItIsRefused(
                    () -> new RepoId(name),
                    "repository",
                    "repository holds a character that PostgreSQL cannot store (NUL or half a surrogate pair)");
        }
        assertThat(new RepoId("ä/\uD83D\uDE00 'b'").value()).isEqualTo("ä/\uD83D\uDE00 'b'");
    }

    @Test
    void aPayloadHasNoNulAndNoHalfOfASurrogatePair() {
        String rule = "payload of an effect of repo holds a character that PostgreSQL cannot store"
                + " (NUL or half a surrogate pair) at ";
        assertThatItIsRefused(() -> NewEffect.of("repo", "ab\0"), "payload of an effect of repo", rule + 2);
        assertThatItIsRefused(() -> NewEffect.of("repo", HALF_PAIR), "payload of an effect of repo", rule + 1);
        assertThatItIsRefused(
                () -> NewEffect.of("repo", "\uD83D\uDE00\uDE00"), "payload of an effect of repo", rule + 2);
        assertThat(NewEffect.of("repo", "").payload()).isEmpty();
    }

    @Test
    void aPayloadIsNotTooLong() {
        String longest = "x".repeat(NewEffect.MAX_PAYLOAD_LENGTH);
        assertThat(NewEffect.of("repo", longest).payload()).hasSize(NewEffect.MAX_PAYLOAD_LENGTH);

        assertThatItIsRefused(
                () -> NewEffect.of("repo", longest + "x"),
                "payload of an effect of repo",
                "payload of an effect of repo must have at most 16777216 characters, but has 16777217");
    }

    @Test
    void aDedupeKeyIsAShortText() {
        NewEffect effect = NewEffect.of("repo", "{}");
        assertThatItIsRefused(() -> effect.withDedupeKey(" "), "dedupe key", "dedupe key must not be blank");
        assertThatItIsRefused(
                () -> effect.withDedupeKey("x".repeat(501)),
                "dedupe key",
                "dedupe key must have at most 500 characters, but has 501");
        assertThatItIsRefused(
                () -> effect.withDedupeKey("\0a"),
                "dedupe key",
                "dedupe key holds a character that PostgreSQL cannot store (NUL or half a surrogate pair) at 0");
        assertThat(effect.withDedupeKey("x".repeat(500)).dedupeKey()).hasSize(500);
    }

    @Test
    void aDelayIsUpToTenYears() {
        NewEffect effect = NewEffect.of("repo", "{}");
        for (Duration delay :
                List.of(Duration.ofNanos(-1), Duration.ofDays(3650).plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatItIsRefused(
                    () -> effect.withDelay(delay), "delay", "delay must be from PT0S to PT87600H, but is " + delay);
        }
        assertThat(effect.withDelay(Duration.ZERO).withDelay(Duration.ofDays(3650)))
                .isNotNull();
    }

    @Test
    void aClaimantHasAName() {
        DispatchRequest request = DispatchRequest.by("x".repeat(200));
        assertThat(request.claimant()).hasSize(200);
        for (ThrowingCallable call :
                List.<ThrowingCallable>of(() -> DispatchRequest.by(""), () -> new RepoClaimRequest(repo, "", 1))) {
            assertThatItIsRefused(call, "claimant", "claimant must not be blank");
        }
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> DispatchRequest.by("x".repeat(201)), () -> new RepoClaimRequest(repo, "x".repeat(201), 1))) {
            assertThatItIsRefused(call, "claimant", "claimant must have at most 200 characters, but has 201");
        }
        assertThatItIsRefused(
                () -> DispatchRequest.by("a\0"),
                "claimant",
                "claimant holds a character that PostgreSQL cannot store (NUL or half a surrogate pair) at 1");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void limitsAreFromOneToAMaximum(int limit) {
        Duration day = Duration.ofDays(1);
        assertThatTheLimitIsRefused(() -> DispatchRequest.by("d").withLimit(limit), "limit of effects", 10_000, limit);
        assertThatTheLimitIsRefused(() -> new RepoClaimRequest(repo, "me", limit), "limit of effects", 10_000, limit);
        assertThatTheLimitIsRefused(() -> FailedQuery.of(repo).withLimit(limit), "limit of effects", 10_000, limit);
        assertThatTheLimitIsRefused(() -> operator.redrive(dsl, repo, limit), "limit of effects", 10_000, limit);
        assertThatTheLimitIsRefused(() -> operator.counts(dsl, repo, limit), "bound", 10_000, limit);
        assertThatTheLimitIsRefused(() -> operator.oldestWaiting(dsl, limit), "limit of repositories", 10_000, limit);
        assertThatTheLimitIsRefused(() -> operator.totals(dsl, limit), "bound", 10_000, limit);
        assertThatTheLimitIsRefused(() -> upkeep.requeueStale(dsl, day, 1, limit), "limit of effects", 10_000, limit);
        assertThatTheLimitIsRefused(() -> upkeep.pruneDone(dsl, day, limit), "limit of effects", 10_000, limit);
        assertThatTheLimitIsRefused(() -> upkeep.pruneFailed(dsl, day, limit), "limit of effects", 10_000, limit);
        assertThatTheLimitIsRefused(
                () -> new EffectAudit().disagreements(dsl, limit), "limit of disagreements", 100_000, limit);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void aCapAndAnAttemptLimitAreOneOrMore(int number) {
        assertThatTheLimitIsRefused(
                () -> DispatchRequest.by("d").withCap(number), "cap per repository", Integer.MAX_VALUE, number);
        assertThatTheLimitIsRefused(
                () -> upkeep.requeueStale(dsl, Duration.ofDays(1), number, 1),
                "attempt limit",
                Integer.MAX_VALUE,
                number);
    }

    @Test
    void limitsIncludeTheirMaximum() {
        DispatchRequest request = DispatchRequest.by("d")
                .withLimit(10_000)
                .withCap(DispatchRequest.NO_CAP)
                .withCap(1);
        assertThat(request).isEqualTo(new DispatchRequest("d", 10_000, 1, Set.of()));
        assertThatTheLimitIsRefused(() -> request.withLimit(10_001), "limit of effects", 10_000, 10_001);
    }

    @Test
    void claimsAreStaleAfterAMillisecondOrMore() {
        for (Duration age : List.of(
                Duration.ZERO,
                Duration.ofMillis(-1),
                Duration.ofNanos(999_999),
                Duration.ofDays(3650).plusNanos(1),
                Duration.ofSeconds(Long.MIN_VALUE))) {
            assertThatItIsRefused(
                    () -> upkeep.requeueStale(dsl, age, 1, 1),
                    "age of stale claims",
                    "age of stale claims must be from PT0.001S to PT87600H, but is " + age);
        }
    }

    @Test
    void effectsArePrunedByAnAge() {
        for (Duration age : List.of(Duration.ofNanos(-1), Duration.ofDays(3650).plusNanos(1))) {
            String message = "age of effects must be from PT0S to PT87600H, but is " + age;
            assertThatItIsRefused(() -> upkeep.pruneDone(dsl, age, 1), "age of effects", message);
            assertThatItIsRefused(() -> upkeep.pruneFailed(dsl, age, 1), "age of effects", message);
        }
    }

    @Test
    void aRetryComesWithinAYear() {
        for (Duration delay :
                List.of(Duration.ofNanos(-1), Duration.ofDays(365).plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatItIsRefused(
                    () -> new EffectRetry(claim, delay, "error"),
                    "retry delay",
                    "retry delay must be from PT0S to PT8760H, but is " + delay);
        }
        assertThat(new EffectRetry(claim, Duration.ZERO, "")).isNotNull();
        assertThat(new EffectRetry(claim, Duration.ofDays(365), "")).isNotNull();
    }

    @Test
    void aBackoffGrowsFromItsFirstDelayToItsLongest() {
        Duration second = Duration.ofSeconds(1);
        assertThatItIsRefused(
                () -> new Backoff(Duration.ZERO, second),
                "first delay",
                "first delay must be from PT0.001S to PT8760H, but is PT0S");
        assertThatItIsRefused(
                () -> new Backoff(second, Duration.ofMillis(999)),
                "longest delay",
                "longest delay must be from PT1S to PT8760H, but is PT0.999S");
        assertThatItIsRefused(
                () -> new Backoff(second, Duration.ofDays(366)),
                "longest delay",
                "longest delay must be from PT1S to PT8760H, but is PT8784H");
    }

    @Test
    void aCancellationHasAReason() {
        List<EffectId> effects = List.of(new EffectId(1));
        for (List<EffectId> named : List.of(effects, List.<EffectId>of())) {
            assertThatItIsRefused(() -> operator.cancel(dsl, named, ""), "reason", "reason must not be blank");
            assertThatItIsRefused(
                    () -> operator.cancel(dsl, named, "x".repeat(2_001)),
                    "reason",
                    "reason must have at most 2000 characters, but has 2001");
            assertThatItIsRefused(
                    () -> operator.cancel(dsl, named, "a\0"),
                    "reason",
                    "reason holds a character that PostgreSQL cannot store (NUL or half a surrogate pair) at 1");
        }
    }

    private static void assertThatTheLimitIsRefused(ThrowingCallable call, String what, int max, int limit) {
        assertThatItIsRefused(call, what, what + " must be from 1 to " + max + ", but is " + limit);
    }

    private static void assertThatItIsRefused(ThrowingCallable call, String input, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        InvalidInputException.class, e -> assertThat(e.input()).isEqualTo(input))
                .hasMessage(message);
    }
}
