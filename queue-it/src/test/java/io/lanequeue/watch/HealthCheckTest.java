package io.lanequeue.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.effects.EffectTotals;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.LaneOutcome;
import io.lanequeue.outbox.LaneTotals;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Wiring;
import io.lanequeue.watch.QueueHealth.Status;
import java.time.Duration;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class HealthCheckTest {

    private static final QueueHealth UP = new QueueHealth(Status.UP, List.of());
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration LONGER = MINUTE.plusNanos(1);

    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);
    private final HealthCheck check = new HealthCheck(MINUTE, MINUTE);

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @Test
    void queuesThatAreWorkedOnAreUp() {
        assertThat(check.ofOutbox(outbox(new LaneTotals(10, 2, 5, 0, MINUTE)))).isEqualTo(UP);
        assertThat(check.ofOutbox(outbox(new LaneTotals(0, 0, 0, 0, null)))).isEqualTo(UP);
        assertThat(check.ofEffects(effects(new EffectTotals(10, 5, 3, MINUTE, MINUTE))))
                .isEqualTo(UP);
        assertThat(check.ofEffects(effects(new EffectTotals(0, 0, 0, null, null))))
                .isEqualTo(UP);
    }

    @Test
    void blockedLanesDegradeUntilTheyAreRetried() {
        assertThat(check.ofOutbox(outbox(new LaneTotals(0, 0, 0, 2, null))))
                .isEqualTo(degraded("Lanes that are blocked and wait for an operator: 2"));
    }

    @Test
    void aLagThatIsTooLongDegrades() {
        assertThat(check.ofOutbox(outbox(new LaneTotals(1, 0, 0, 0, LONGER))))
                .isEqualTo(degraded("A lane has been waiting for a worker for 60 s, longer than PT1M"));
        assertThat(check.ofEffects(effects(new EffectTotals(1, 0, 0, LONGER, null))))
                .isEqualTo(degraded("An effect has been waiting for a worker for 60 s, longer than PT1M"));
        assertThat(check.withLongestLag(LONGER).ofOutbox(outbox(new LaneTotals(1, 0, 0, 0, LONGER))))
                .isEqualTo(UP);
    }

    @Test
    void aClaimThatNobodyTakesBackDegrades() {
        QueueWatch<EffectTotals> silent = effects(new EffectTotals(0, 1, 0, null, LONGER));

        assertThat(check.ofEffects(silent))
                .isEqualTo(degraded("Nobody has taken back a claim that was not extended for 60 s, longer than PT1M"));
        assertThat(check.withLongestSilence(LONGER).ofEffects(silent)).isEqualTo(UP);
    }

    @Test
    void everyReasonIsGiven() {
        assertThat(check.ofOutbox(outbox(new LaneTotals(1, 0, 0, 2, LONGER))).reasons())
                .hasSize(2);
        assertThat(check.ofEffects(effects(new EffectTotals(1, 1, 0, LONGER, LONGER)))
                        .reasons())
                .hasSize(2);
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsDown() {
        var away = new PGSimpleDataSource();
        away.setPortNumbers(new int[] {1});

        QueueHealth outbox = check.ofOutbox(QueueWatch.ofOutbox(away, db.schema()));
        QueueHealth effects = check.ofEffects(QueueWatch.ofEffects(away, db.schema()));

        assertThat(outbox.status()).isEqualTo(Status.DOWN);
        assertThat(outbox.reasons()).singleElement().asString().startsWith("The totals cannot be read: ");
        assertThat(effects).isEqualTo(outbox);
    }

    @Test
    void tellsOfALaneThatIsBlockedInTheDatabase() {
        DSLContext dsl = db.open().dsl();
        new OutboxProducer().append(dsl, NewEvent.of(17, 1, "message", "{}"));
        assertThat(healthOfDatabase()).isEqualTo(UP);

        LeasedLane lane = new OutboxConsumer()
                .claim(dsl, ClaimRequest.by("worker"))
                .lanes()
                .get(0);
        new OutboxConsumer()
                .finish(
                        dsl,
                        List.of(LaneOutcome.block(lane, lane.events().get(0).id(), "poison")));

        assertThat(healthOfDatabase()).isEqualTo(degraded("Lanes that are blocked and wait for an operator: 1"));
    }

    @Test
    void durationsAreFromAMillisecondTo30Days() {
        assertThatThrownBy(() -> check.withLongestLag(Duration.ZERO)).isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> check.withLongestSilence(Duration.ofDays(31)))
                .isInstanceOf(InvalidInputException.class);
    }

    private QueueHealth healthOfDatabase() {
        return HealthCheck.standard().ofOutbox(QueueWatch.ofOutbox(db.dataSource(), db.schema()));
    }

    private static QueueHealth degraded(String reason) {
        return new QueueHealth(Status.DEGRADED, List.of(reason));
    }

    private static QueueWatch<LaneTotals> outbox(LaneTotals totals) {
        return seen(totals);
    }

    private static QueueWatch<EffectTotals> effects(EffectTotals totals) {
        return seen(totals);
    }

    private static <T> QueueWatch<T> seen(T totals) {
        return new QueueWatch<>(new DefaultConfiguration().set(SQLDialect.POSTGRES), dsl -> totals, MINUTE, () -> 0);
    }
}
