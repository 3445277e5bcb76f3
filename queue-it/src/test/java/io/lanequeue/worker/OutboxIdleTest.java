package io.lanequeue.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.LaneOutcome;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.worker.Witness.Happening;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a worker costs that finds nothing to do, and when it looks again. */
class OutboxIdleTest extends OutboxWorkerFixture {

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration LONG_INTERVAL = Duration.ofHours(1);

    private final SentStatements sent = new SentStatements();

    @Test
    void anIdleWorkerSendsOneStatementPerPollInterval() {
        startListening();
        becomeIdle();
        sent.clear();

        int looks = 100;
        Duration waited = Duration.ZERO;
        for (int i = 0; i < looks; i++) {
            waited = waited.plus(timing.skipWait());
        }
        timing.awaitWaiting();

        assertThat(sent.all()).hasSize(looks).allMatch(sql -> sql.startsWith("select"));
        // With jitter: between half of the interval and all of it.
        assertThat(waited).isBetween(INTERVAL.multipliedBy(looks / 2), INTERVAL.multipliedBy(looks));
    }

    @Test
    void itsPausesGrowUntilTheyHaveTheirFullLength() {
        startListening();

        Duration first = timing.skipWait();
        becomeIdle();
        Duration last = timing.skipWait();

        assertThat(first).isLessThanOrEqualTo(INTERVAL.dividedBy(32));
        assertThat(last).isBetween(INTERVAL.dividedBy(2), INTERVAL);
    }

    @Test
    void soonAfterWorkItLooksSoonAgainHoweverLongItsPollIntervalIs() {
        Duration first = Duration.ofSeconds(1).dividedBy(32);
        start(
                OutboxWorker.on(source(), request()).withEvents(witness).withPollInterval(LONG_INTERVAL),
                (event, attempt) -> {});

        Duration idle = Duration.ZERO;
        Duration pause = Duration.ZERO;
        for (int looks = 0; looks < 30; looks++) {
            pause = timing.skipWait();
            assertThat(pause).isLessThanOrEqualTo(idle.multipliedBy(2).plus(first));
            idle = idle.plus(pause);
        }

        assertThat(pause).isBetween(LONG_INTERVAL.dividedBy(2), LONG_INTERVAL);
    }

    @Test
    void wakesWhenARetryWillBeDueAndNotBefore() {
        append(1, 1);
        backOff(Duration.ofMinutes(10));
        startListening();
        becomeIdle();
        assertThat(timing.skipWait()).isGreaterThanOrEqualTo(INTERVAL.dividedBy(2));

        backOffAgain(Duration.ofMillis(50));
        // It looks, hears of the lane that will be due, and waits for that alone.
        Duration wait = timing.skipWait();
        while (witness.count(Happening.DELIVERED) == 0) {
            wait = timing.skipWait();
            assertThat(wait).isLessThanOrEqualTo(Duration.ofMillis(50));
        }
        witness.await(Happening.DELIVERED, 1);
    }

    @Test
    void afterWorkItLooksSoonAgain() {
        OutboxWorker worker = startListening();
        becomeIdle();
        append(1, 1);

        timing.awaitWaitingAgainAfter(worker::wake);
        witness.await(Happening.DELIVERED, 1);

        assertThat(timing.skipWait()).isLessThanOrEqualTo(INTERVAL.dividedBy(32));
    }

    private OutboxWorker startListening() {
        return start(
                OutboxWorker.on(sent.of(source()), request())
                        .withEvents(witness)
                        .withPollInterval(INTERVAL),
                (event, attempt) -> {});
    }

    private void becomeIdle() {
        for (int i = 0; i < 10; i++) {
            timing.skipWait();
        }
        timing.awaitWaiting();
    }

    private void backOff(Duration delay) {
        Claim claim = new OutboxConsumer().claim(dsl, request());
        LeasedLane lane = claim.lanes().get(0);
        new OutboxConsumer()
                .finish(
                        dsl,
                        List.of(LaneOutcome.retry(lane, lane.events().get(0).id(), delay, "not now")));
    }

    private void backOffAgain(Duration delay) {
        LeasedLane lane = claimByAnother().lanes().get(0);
        new OutboxConsumer()
                .finish(
                        dsl,
                        List.of(LaneOutcome.retry(lane, lane.events().get(0).id(), delay, "not now")));
    }
}
