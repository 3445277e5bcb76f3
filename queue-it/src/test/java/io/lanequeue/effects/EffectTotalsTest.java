package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EffectId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jooq.Field;
import org.junit.jupiter.api.Test;

class EffectTotalsTest extends EffectFixture {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final EffectOperator operator = new EffectOperator();

    @Test
    void anEmptyQueueHasNothingToTell() {
        assertThat(totals()).isEqualTo(new EffectTotals(0, 0, 0, null, null));
    }

    @Test
    void whatIsDoneOrScheduledForLaterIsNothingEither() {
        enqueue(dsl, "repo");
        consumer.complete(dsl, claims(dispatch(dsl, 10)));
        producer.enqueue(dsl, NewEffect.of("repo", "{}").withDelay(DAY));

        assertThat(totals()).isEqualTo(new EffectTotals(0, 0, 0, null, null));
    }

    @Test
    void countsRepositoriesThatWaitHoweverManyEffectsTheyHave() {
        enqueueMany("deep", 20);
        enqueue(dsl, "shallow");

        assertThat(totals().waitingRepos()).isEqualTo(2);
        assertThat(totals().inFlight()).isZero();
        assertThat(totals().silence()).isNull();
    }

    @Test
    void countsWhatIsInFlightOverAllRepositories() {
        enqueueMany("one", 3);
        enqueueMany("another", 2);
        dispatch(dsl, 10);

        assertThat(totals().inFlight()).isEqualTo(5);
        assertThat(totals().waitingRepos()).isZero();
        assertThat(totals().lag()).isNull();
        assertThat(totals().silence()).isBetween(Duration.ZERO, MINUTE);
    }

    @Test
    void countsWhatFailedUpToTheBound() {
        enqueueMany("one", 3);
        enqueueMany("another", 2);
        consumer.fail(
                dsl,
                claims(dispatch(dsl, 10)).stream()
                        .map(claim -> new EffectFailure(claim, "poison"))
                        .toList());

        assertThat(operator.totals(dsl, 4).failed()).isEqualTo(4);
        assertThat(operator.totals(dsl, 6).failed()).isEqualTo(5);
    }

    @Test
    void theLagIsThatOfTheRepositoryThatHasWaitedLongest() {
        EffectId young = enqueue(dsl, "young");
        EffectId old = enqueue(dsl, "old");
        since(EFFECT_QUEUE.ENQUEUED_AT, young, HOUR);
        since(EFFECT_QUEUE.ENQUEUED_AT, old, DAY);

        assertThat(totals().lag()).isBetween(DAY, DAY.plus(MINUTE));
    }

    @Test
    void anEffectThatIsDueLagsAlthoughNoDispatchHasEnqueuedItYet() {
        EffectId due =
                producer.enqueue(dsl, NewEffect.of("repo", "{}").withDelay(DAY)).id();
        since(EFFECT_QUEUE.SCHEDULED_AT, due, HOUR);
        enqueue(dsl, "other");

        assertThat(totals().lag()).isBetween(HOUR, HOUR.plus(MINUTE));
        assertThat(totals().waitingRepos()).isEqualTo(1);
    }

    @Test
    void theSilenceIsThatOfTheClaimThatWasExtendedLongestAgo() {
        List<EffectId> effects = enqueueMany("repo", 2);
        List<EffectClaim> claims = claims(dispatch(dsl, 10));
        effects.forEach(effect -> since(EFFECT_QUEUE.CLAIMED_AT, effect, HOUR));

        assertThat(totals().silence()).isBetween(HOUR, HOUR.plus(MINUTE));
        consumer.extend(dsl, claims);
        assertThat(totals().silence()).isLessThan(MINUTE);
    }

    private EffectTotals totals() {
        return operator.totals(dsl, 100);
    }

    /** As if that moment of the effect lay so long ago. */
    private void since(Field<Instant> moment, EffectId effect, Duration ago) {
        dsl.update(EFFECT_QUEUE)
                .set(moment, EffectsByHand.clock(dsl).minus(ago))
                .where(EFFECT_QUEUE.ID.eq(effect))
                .execute();
    }
}
