package io.lanequeue.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.schema.InvalidInputException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {

    private final Random random = new Random(42);

    @Test
    void doublesUpToTheLongestAndIsDrawnFromTheUpperHalf() {
        Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10));
        long[] whole = {1_000, 2_000, 4_000, 8_000, 10_000, 10_000};

        for (int attempts = 1; attempts <= whole.length; attempts++) {
            long millis = whole[attempts - 1];
            long shortest = Long.MAX_VALUE;
            long longest = 0;
            for (int i = 0; i < 2_000; i++) {
                long delay = backoff.after(attempts, random).toMillis();
                shortest = Math.min(shortest, delay);
                longest = Math.max(longest, delay);
            }
            assertThat(shortest).isBetween(millis / 2, millis * 11 / 20);
            assertThat(longest).isBetween(millis * 19 / 20, millis);
        }
    }

    @Test
    void staysAtTheLongestHoweverManyAttemptsThereWere() {
        for (Duration first : new Duration[] {Duration.ofMillis(1), Duration.ofSeconds(3), Duration.ofDays(365)}) {
            Backoff backoff = new Backoff(first, Duration.ofDays(365));
            for (int attempts : new int[] {40, 62, 63, 64, 65, 66, 127, 128, 1_000, Integer.MAX_VALUE}) {
                assertThat(backoff.after(attempts, random))
                        .as("%s after %s attempts", first, attempts)
                        .isBetween(Duration.ofDays(365).dividedBy(2), Duration.ofDays(365));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void thereIsNoDelayBeforeTheFirstAttempt(int attempts) {
        Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));

        assertThatThrownBy(() -> backoff.after(attempts, random))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("number of attempts must be from 1 to 2147483647, but is " + attempts);
    }

    @Test
    void aShortestDelayIsNeverNegativeOrLonger() {
        Backoff backoff = new Backoff(Duration.ofMillis(1), Duration.ofMillis(1));

        for (int attempts = 1; attempts < 100; attempts++) {
            assertThat(backoff.after(attempts, random)).isBetween(Duration.ZERO, Duration.ofMillis(1));
        }
    }
}
