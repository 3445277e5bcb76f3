package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EffectId;
import java.time.Duration;
import java.time.Instant;
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
    void isNothingToWaitForWhereAnEffectIsScheduledForNever() {
        EffectId id = producer.enqueue(dsl, NewEffect.of("repo", "{}").withDelay(DELAY))
                .id();
        dsl.update(EFFECT_QUEUE)
                .set(EFFECT_QUEUE.SCHEDULED_AT, Instant.MAX)
                .where(EFFECT_QUEUE.ID.eq(id))
                .execute();

        assertThat(consumer.untilDue(dsl, request)).isEmpty();
    }

    @Test
    void isNoTimeWhereAScheduledEffectIsDue() {
        producer.enqueue(dsl, NewEffect.of("repo", "{}").withDelay(Duration.ZERO));

        assertThat(consumer.untilDue(dsl, request)).contains(Duration.ZERO);
    }
}
