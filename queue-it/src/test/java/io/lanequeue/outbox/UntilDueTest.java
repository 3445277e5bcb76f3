package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How long a worker that waits may wait. */
class UntilDueTest extends OutboxFixture {

    private static final Duration DELAY = Duration.ofMinutes(10);

    static List<LogicalShards> shards() {
        return List.of(LogicalShards.all(), LogicalShards.of(1, 2));
    }

    @ParameterizedTest
    @MethodSource("shards")
    void isNothingToWaitForWithoutAnyLane(LogicalShards shards) {
        assertThat(consumer.untilDue(dsl, shards)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("shards")
    void isNoTimeForALaneThatIsReady(LogicalShards shards) {
        append(dsl, 1, 1);
        claimOne(dsl, 1);
        append(dsl, 2, 1);

        assertThat(consumer.untilDue(dsl, shards)).contains(Duration.ZERO);
    }

    @ParameterizedTest
    @MethodSource("shards")
    void isTheRestOfTheDelayOfALaneThatBacksOff(LogicalShards shards) {
        append(dsl, 1, 1);
        LeasedLane lane = claimOne(dsl, 1);
        Instant later = head(1).orElseThrow().getAvailableAt();
        consumer.finish(dsl, List.of(LaneOutcome.retry(lane, ids(lane).get(0), DELAY, "not now")));
        Instant end = head(1).orElseThrow().getAvailableAt();

        assertThat(consumer.untilDue(dsl, shards).orElseThrow()).isBetween(DELAY.minusMinutes(1), DELAY);
        assertThat(OutboxConsumer.at(later).untilDue(dsl, shards)).contains(Duration.between(later, end));
    }

    @ParameterizedTest
    @MethodSource("shards")
    void isTheRestOfALease(LogicalShards shards) {
        append(dsl, 2, 1);
        claimOne(dsl, 1);

        assertThat(consumer.untilDue(dsl, shards).orElseThrow()).isBetween(LEASE.minusMinutes(1), LEASE);
    }

    @ParameterizedTest
    @MethodSource("shards")
    void isNothingToWaitForWhereAllLanesAreBlocked(LogicalShards shards) {
        append(dsl, 1, 1);
        LeasedLane lane = claimOne(dsl, 1);
        consumer.finish(dsl, List.of(LaneOutcome.block(lane, ids(lane).get(0), "poison")));

        assertThat(consumer.untilDue(dsl, shards)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("shards")
    void looksOnlyAtTheShardsThatAreAskedFor(LogicalShards shards) {
        append(dsl, 3, 1);

        assertThat(consumer.untilDue(dsl, shards).isPresent()).isEqualTo(shards.areAll());
    }
}
