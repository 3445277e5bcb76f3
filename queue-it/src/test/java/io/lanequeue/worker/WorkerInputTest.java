package io.lanequeue.worker;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.schema.InvalidInputException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a worker cannot be told. */
class WorkerInputTest extends EffectWorkerFixture {

    @Test
    void refusesTimesThatMakeNoSense() {
        EffectWorker.Builder builder = worker(request());

        assertRefused(() -> builder.withPollInterval(Duration.ZERO), "poll interval");
        assertRefused(() -> builder.withTimeLimit(Duration.ZERO), "time limit");
        assertRefused(() -> builder.withStaleAfter(Duration.ZERO), "stale claims");
        assertRefused(() -> builder.withKeepDone(Duration.ofMillis(-1)), "done effects");
        assertRefused(() -> builder.withKeepFailed(Duration.ofMillis(-1)), "failed effects");
        assertRefused(() -> RetryPolicy.standard().withMaxAttempts(0), "attempt limit");
        assertRefused(() -> new RetryAfterException(Duration.ofMillis(-1), "before"), "retry delay");
    }

    @Test
    void refusesADeadlineInThePastAndWorksOn() {
        EffectWorker worker = start((effect, attempt) -> {});
        timing.awaitWaiting();

        assertRefused(() -> worker.stop(Duration.ofMillis(-1)), "deadline");

        enqueue("repo");
        worker.wake();
        witness.await(Witness.Happening.DELIVERED, 1);
    }

    private static void assertRefused(Call call, String input) {
        assertThatThrownBy(call::make).isInstanceOf(InvalidInputException.class).hasMessageContaining(input);
    }

    private interface Call {
        Object make();
    }
}
