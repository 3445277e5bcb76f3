package io.lanequeue.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectOperation;
import io.lanequeue.effects.EffectReport;
import io.lanequeue.effects.EffectUpkeep;
import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.LaneReport;
import io.lanequeue.outbox.Operation;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.testing.QueueContents;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Wiring;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A worker that stands still after its claim, until another one has taken over; then it goes on and reports. */
class PausedWorkerTest {

    private static final Instant TOMORROW = Instant.now().plus(Duration.ofDays(1));

    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);
    private final DSLContext dsl = db.open().dsl();

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETE", "RELEASE", "FINISH", "EXTEND"})
    void isToldThatItsLeaseIsLostAndChangesNothing(Operation report) {
        Function<DSLContext, Object> late = report.prepare(dsl);
        var other = OutboxConsumer.at(TOMORROW);
        Claim claim = other.claim(dsl, ClaimRequest.by("other worker"));

        assertThatItChangesNothing(late, LaneReport.Status.LEASE_LOST);

        assertThat(other.complete(dsl, claim))
                .extracting(LaneReport::status)
                .containsExactly(LaneReport.Status.FINISHED);
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETE", "COMPLETE_OF_REPO", "FAIL", "RETRY", "RELEASE", "EXTEND"})
    void isToldThatItsClaimIsLostAndChangesNothing(EffectOperation report) {
        Function<DSLContext, Object> late = report.prepare(dsl);
        EffectUpkeep.at(TOMORROW).requeueStale(dsl, Duration.ofHours(1), 10, 10);
        var other = new EffectConsumer();
        List<ClaimedEffect> claimed = other.dispatch(dsl, DispatchRequest.by("other worker"));

        assertThatItChangesNothing(late, EffectReport.Status.CLAIM_LOST);

        assertThat(other.complete(
                        dsl, claimed.stream().map(ClaimedEffect::claim).toList()))
                .extracting(EffectReport::status)
                .containsExactly(EffectReport.Status.APPLIED);
    }

    private void assertThatItChangesNothing(Function<DSLContext, Object> late, Enum<?> told) {
        QueueContents before = QueueContents.of(dsl);

        Object answer = late.apply(dsl);

        assertThat(QueueContents.of(dsl)).isEqualTo(before);
        if (answer instanceof Map<?, ?> extended) {
            assertThat(extended).isEmpty();
        } else {
            assertThat((Collection<?>) answer).extracting("status").containsExactly(told);
        }
    }
}
