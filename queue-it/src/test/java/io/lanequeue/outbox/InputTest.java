package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.schema.EventId;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.LanequeueSchema;
import io.lanequeue.schema.LeaseId;
import io.lanequeue.schema.TargetUserId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused before anything is sent, and that the message says what was wrong and what it has to be. */
class InputTest {

    private static final String HALF_PAIR = "a\uD83D";

    /** Has no connection: whatever is sent fails otherwise. */
    private final DSLContext dsl = DSL.using(SQLDialect.POSTGRES);

    private final OutboxOperator operator = new OutboxOperator();
    private final OutboxConsumer consumer = new OutboxConsumer();

    @Test
    void anEventIsForAUserFromZeroOn() {
        assertThatItIsRefused(
                () -> NewEvent.of(-1, 1, "t", "{}"), "target user -1", "target user -1 must be 0 or greater");
        assertThatItIsRefused(
                () -> new TargetUserId(Long.MIN_VALUE),
                "target user -9223372036854775808",
                "target user -9223372036854775808 must be 0 or greater");
    }

    @Test
    void aPositionIsZeroOrGreater() {
        assertThatItIsRefused(
                () -> NewEvent.of(7, -1, "t", "{}"),
                "pts of event (user 7, pts -1)",
                "pts of event (user 7, pts -1) must be 0 or greater");
    }

    @Test
    void anEventTypeIsAShortText() {
        assertThatItIsRefused(
                () -> NewEvent.of(7, 1, " \t", "{}"),
                "event type of event (user 7, pts 1)",
                "event type of event (user 7, pts 1) must not be blank");
        assertThatItIsRefused(
                () -> NewEvent.of(7, 1, "x".repeat(201), "{}"),
                "event type of event (user 7, pts 1)",
                "event type of event (user 7, pts 1) must have at most 200 characters, but has 201");
        assertThatItIsRefused(
                () -> NewEvent.of(7, 1, "ab\0", "{}"),
                "event type of event (user 7, pts 1)",
                "event type of event (user 7, pts 1) holds a character that PostgreSQL cannot store"
                        + " (NUL or half a surrogate pair) at 2");
        assertThatItIsRefused(
                () -> NewEvent.of(7, 1, HALF_PAIR, "{}"),
                "event type of event (user 7, pts 1)",
                "event type of event (user 7, pts 1) holds a character that PostgreSQL cannot store"
                        + " (NUL or half a surrogate pair) at 1");
    }

    @Test
    void aLeaseIsNoFenceForEventsOfAnotherLane() {
        LeasedLane lane = leased(1, 7);
        Lease other = new Lease(new TargetUserId(2), lane.lease().id());

        assertThatItIsRefused(
                () -> new LeasedLane(other, lane.leasedUntil(), 1, null, lane.events()),
                "event 7",
                "event 7 must be of the leased lane 2");
        assertThatItIsRefused(
                () -> new LeasedLane(other, lane.leasedUntil(), 1, null, List.of()),
                "leased lane 2",
                "leased lane 2 must have events");
    }

    @Test
    void aNumberOfAPayloadFitsNumeric() {
        assertThatThePayloadIsRefused("{\"n\": 1e200000}", "has a number beyond the range of numeric at character 14");
    }

    @Test
    void aPayloadHasNoNul() {
        assertThatThePayloadIsRefused("{\"a\": \"x\0y\"}", "has a control character in a string at character 8");
        assertThatThePayloadIsRefused("\0", "has no value where one is due at character 0");
        assertThatThePayloadIsRefused("[1]\0", "has more after its value at character 3");
        assertThatThePayloadIsRefused("{\"a\": \"\\u0000\"}", "has \\u0000, which PostgreSQL cannot store");
        assertThatThePayloadIsRefused("{\"\\u0000\": 1}", "has \\u0000, which PostgreSQL cannot store");
    }

    @Test
    void aPayloadHasNoHalfOfASurrogatePair() {
        for (String half : List.of(
                "\uD83D",
                "\uDE00",
                "\uDE00\uD83D",
                "\uD83Dx",
                "\\uD83D",
                "\\uDE00",
                "\\uDE00\\uD83D",
                "\\uD83Dx",
                "\\uD83D\\n",
                "\\uD83D\\u0041",
                "\\uD83D\\uD83D")) {
            assertThatThePayloadIsRefused("\"" + half + "\"", "has half a surrogate pair");
        }
        assertThat(NewEvent.of(1, 1, "t", "\"\uD83D\uDE00 \\uD83D\\uDE00\"")).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "[",
                "]",
                "{]",
                "[}",
                "[1,]",
                "[,1]",
                "[1 2]",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\" 1}",
                "{\"a\":1,}",
                "{,}",
                "{a:1}",
                "{'a':1}",
                "{1:1}",
                "{\"a\":1 \"b\":2}",
                "\"",
                "\"a",
                "'a'",
                "a",
                "nul",
                "nulll",
                "True",
                "NaN",
                "Infinity",
                "undefined",
                "+1",
                "-",
                "- 1",
                "01",
                "-01",
                "1.",
                ".5",
                "1.e1",
                "1e",
                "1e+",
                "0x10",
                "1_000",
                "1,5",
                "[1]x",
                "[1][2]",
                "1 2",
                "// c\n1",
                "/* c */1",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12G4\"",
                "\"\t\"",
                "\"\n\"",
                "\uFEFF1",
                "\u00A01",
                "１",
                "\"\\",
                "\"\\u",
                "[\"a\":1]",
                "{\"a\":1]"
            })
    void aPayloadIsJson(String text) {
        assertThatThePayloadIsRefused(text, "must be JSON that PostgreSQL can store, but ");
    }

    @Test
    void aPayloadIsNotTooLong() {
        String longest = "\"" + "x".repeat(NewEvent.MAX_PAYLOAD_LENGTH - 2) + "\"";
        assertThat(NewEvent.of(1, 1, "t", longest).payload().data()).hasSize(NewEvent.MAX_PAYLOAD_LENGTH);

        assertThatThePayloadIsRefused(longest + " ", "must have at most 16777216 characters, but has 16777217");
    }

    @Test
    void aPayloadIsNotNestedTooDeep() {
        assertThat(NewEvent.of(1, 1, "t", "[".repeat(1_000) + "]".repeat(1_000)))
                .isNotNull();
        assertThatThePayloadIsRefused("[".repeat(1_001) + "]".repeat(1_001), "is nested deeper than 1000 levels");
        assertThatThePayloadIsRefused("{\"a\":".repeat(5_000_000 / 5), "is nested deeper than 1000 levels");
    }

    @Test
    void aWorkerHasAName() {
        assertThatItIsRefused(() -> ClaimRequest.by(""), "worker name", "worker name must not be blank");
        assertThatItIsRefused(
                () -> ClaimRequest.by("x".repeat(201)),
                "worker name",
                "worker name must have at most 200 characters, but has 201");
        assertThatItIsRefused(
                () -> ClaimRequest.by(HALF_PAIR),
                "worker name",
                "worker name holds a character that PostgreSQL cannot store (NUL or half a surrogate pair) at 1");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void limitsAreFromOneToAMaximum(int limit) {
        var request = ClaimRequest.by("worker");
        assertThatTheLimitIsRefused(() -> request.withLanes(limit), "limit of lanes", 10_000, limit);
        assertThatTheLimitIsRefused(() -> request.withEventsPerLane(limit), "limit of events per lane", 1_000, limit);
        assertThatTheLimitIsRefused(
                () -> LaneQuery.of(LaneState.READY).withLimit(limit), "limit of lanes", 10_000, limit);
        assertThatTheLimitIsRefused(
                () -> DeadLetterQuery.ofAll().withLimit(limit), "limit of dead letters", 10_000, limit);
        assertThatTheLimitIsRefused(
                () -> operator.purgeDeadLetters(dsl, Duration.ZERO, limit), "limit of dead letters", 10_000, limit);
        assertThatTheLimitIsRefused(
                () -> new OutboxAudit().disagreements(dsl, limit), "limit of disagreements", 100_000, limit);
    }

    @Test
    @SuppressWarnings("NullAway") // as a caller whose compiler does not look
    void aClaimHasShardsAndAMoment() {
        var request = ClaimRequest.by("worker");
        assertThatThrownBy(() -> request.withShards(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("shards");
        assertThatThrownBy(() -> request.withAvailableSince(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("availableSince");
    }

    @Test
    void limitsIncludeTheirMaximum() {
        assertThat(ClaimRequest.by("worker").withLanes(10_000).withEventsPerLane(1_000))
                .isNotNull();
        assertThatTheLimitIsRefused(
                () -> ClaimRequest.by("worker").withLanes(10_001), "limit of lanes", 10_000, 10_001);
    }

    @Test
    void aLeaseLastsFromAMillisecondToThirtyDays() {
        var request = ClaimRequest.by("worker");
        List<Lease> leases = List.of(new Lease(new TargetUserId(1), new LeaseId(1)));
        for (Duration time : List.of(
                Duration.ZERO,
                Duration.ofMillis(-1),
                Duration.ofNanos(999_999),
                Duration.ofDays(30).plusNanos(1),
                Duration.ofSeconds(Long.MAX_VALUE),
                Duration.ofSeconds(Long.MIN_VALUE))) {
            String message = "lease time must be from PT0.001S to PT720H, but is " + time;
            assertThatItIsRefused(() -> request.withLease(time), "lease time", message);
            assertThatItIsRefused(() -> consumer.extend(dsl, leases, time), "lease time", message);
            assertThatItIsRefused(() -> consumer.extend(dsl, List.of(), time), "lease time", message);
        }
        assertThat(request.withLease(Duration.ofDays(30)).withLease(Duration.ofMillis(1)))
                .isNotNull();
    }

    @Test
    void aRetryComesWithinAYear() {
        LeasedLane lane = leased(1, 5);
        EventId event = new EventId(5);
        for (Duration delay :
                List.of(Duration.ofNanos(-1), Duration.ofDays(365).plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatItIsRefused(
                    () -> LaneOutcome.retry(lane, event, delay, "error"),
                    "retry delay",
                    "retry delay must be from PT0S to PT8760H, but is " + delay);
        }
        assertThat(LaneOutcome.retry(lane, event, Duration.ZERO, "")).isNotNull();
        assertThat(LaneOutcome.retry(lane, event, Duration.ofDays(365), "")).isNotNull();
    }

    @Test
    void deadLettersArePurgedByAnAge() {
        for (Duration age : List.of(Duration.ofNanos(-1), Duration.ofDays(3650).plusNanos(1))) {
            assertThatItIsRefused(
                    () -> operator.purgeDeadLetters(dsl, age, 1),
                    "age of dead letters",
                    "age of dead letters must be from PT0S to PT87600H, but is " + age);
        }
    }

    @Test
    void aDeletionHasAReason() {
        TargetUserId lane = new TargetUserId(1);
        assertThatItIsRefused(
                () -> operator.deleteHead(dsl, lane, new EventId(1), ""), "reason", "reason must not be blank");
        assertThatItIsRefused(
                () -> operator.deleteLane(dsl, lane, "x".repeat(2_001)),
                "reason",
                "reason must have at most 2000 characters, but has 2001");
        assertThatItIsRefused(
                () -> operator.deleteLane(dsl, lane, "a\0"),
                "reason",
                "reason holds a character that PostgreSQL cannot store (NUL or half a surrogate pair) at 1");
    }

    @Test
    void aBatchNamesALaneOnce() {
        LeasedLane first = leased(1, 5);
        LeasedLane second = leased(1, 6);

        assertThatItIsRefused(
                () -> consumer.finish(dsl, List.of(LaneOutcome.completed(first), LaneOutcome.released(second))),
                "lane 1",
                "lane 1 must be named once in a batch");
        assertThatItIsRefused(
                () -> consumer.complete(dsl, new Claim(List.of(first, first), 0, null)),
                "lane 1",
                "lane 1 must be named once in a batch");
    }

    @Test
    void anOutcomeIsAboutAnEventOfItsClaim() {
        LeasedLane lane = leased(7, 5);
        EventId other = new EventId(6);
        String message = "event 6 must be one of those claimed with lane 7";

        assertThatItIsRefused(() -> LaneOutcome.deliveredThrough(lane, other), "event 6", message);
        assertThatItIsRefused(() -> LaneOutcome.retry(lane, other, Duration.ZERO, "error"), "event 6", message);
        assertThatItIsRefused(() -> LaneOutcome.block(lane, other, "error"), "event 6", message);
    }

    @Test
    void shardsAreAPartOfTheirNumbers() {
        assertThatItIsRefused(LogicalShards::of, "set of logical shards", "set of logical shards must not be empty");
        assertThatItIsRefused(
                () -> LogicalShards.of(3, 256), "logical shard 256", "logical shard 256 must be from 0 to 255");
        assertThatItIsRefused(() -> LogicalShards.of(-1), "logical shard -1", "logical shard -1 must be from 0 to 255");
        for (int[] share : List.of(new int[] {3, 3}, new int[] {-1, 3}, new int[] {0, 0}, new int[] {0, 257})) {
            String input = "share " + share[0] + " of " + share[1];
            assertThatItIsRefused(
                    () -> LogicalShards.share(share[0], share[1]),
                    input,
                    input + " must be one of 1 to 256 shares, counted from 0");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a\"b",
                "it's",
                "a$b",
                "${x}",
                "a\nb",
                "a\0b",
                "a\u007Fb",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                "ääääääääääääääääääääääääääääääää"
            })
    void aSchemaNameIsAShortTextWithoutQuotes(String name) {
        assertThatItIsRefused(
                () -> LanequeueSchema.named(name),
                "schema name '" + name + "'",
                "schema name '" + name + "' must have 1 to 63 bytes and no quotes, dollar signs or control characters");
    }

    private static LeasedLane leased(long user, long event) {
        var lane = new TargetUserId(user);
        return new LeasedLane(
                new Lease(lane, new LeaseId(1)),
                Instant.EPOCH,
                1,
                null,
                List.of(new Event(new EventId(event), lane, 1, "t", JSONB.valueOf("{}"), Instant.EPOCH)));
    }

    private static void assertThatThePayloadIsRefused(String payload, String why) {
        assertThatThrownBy(() -> NewEvent.of(7, 3, "t", payload))
                .isInstanceOfSatisfying(
                        InvalidInputException.class,
                        e -> assertThat(e.input()).isEqualTo("payload of event (user 7, pts 3)"))
                .hasMessageStartingWith("payload of event (user 7, pts 3) must ")
                .hasMessageContaining(why);
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
