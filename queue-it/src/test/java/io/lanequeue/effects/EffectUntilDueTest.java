package io.lanequeue.effects;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long a dispatcher that waits may wait. */
class EffectUntilDueTest extends EffectFixture {

    private static final Duration DELAY = Duration.ofMinutes(10);

    private final DispatchRequest request =
            DispatchRequest.by("dispatcher").withCap(1).excluding(List.of(repo("excluded")));

    @Test
    void isNothingToWaitForInAnEmptyQueue() {
        assertThat(consumer.untilDue(dsl, request)).isEmpty();
    }

    @Test
    void isNoTimeWhereAnEffectWaits() {
        enqueue(dsl, "repo");

        assertThat(consumer.untilDue(dsl, request)).contains(Duration.ZERO);
    }

    @Test
    void isNothingToWaitForWhereEverythingIsExcludedOrAtTheCap() {
        enqueueMany("excluded", 2);
        enqueueMany("busy", 2);
        consumer.dispatch(dsl, request);

        assertThat(consumer.untilDue(dsl, request)).isEmpty();
    }

    @Test
    void isTheTimeUntilTheFirstScheduledEffectIsDue() {
        producer.enqueue(dsl, NewEffect.of("repo", "{}").withDelay(DELAY.multipliedBy(2)));
        producer.enqueue(dsl, NewEffect.of("repo", "{}").withDelay(DELAY));

        assertThat(consumer.untilDue(dsl, request).orElseThrow()).isBetween(DELAY.minusMinutes(1), DELAY);
    }

    @Test
    void isNoTimeWhereAScheduledEffectIsDue() {
        producer.enqueue(dsl, NewEffect.of("repo", "{}").withDelay(Duration.ZERO));

        assertThat(consumer.untilDue(dsl, request)).contains(Duration.ZERO);
    }
}
