package io.lanequeue.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.metrics.WorkerMeters;
import io.lanequeue.worker.Witness.Happening;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Which meters move when a worker of the outbox does something, and that the others do not. */
class OutboxWorkerMetersTest extends OutboxWorkerFixture {

    private final MovedMeters meters = new MovedMeters("outbox");
    private final Latch begun = new Latch();
    private final Latch door = new Latch();

    @Test
    void nothingMovesBeforeSomethingHappens() {
        start(measured(), (event, attempt) -> {});
        timing.awaitWaiting();

        assertThat(meters.moved()).isEmpty();
    }

    @Test
    void countsLanesThatAreClaimedAndEventsThatAreDelivered() {
        append(1, 3);
        append(2, 1);
        start(measured(), (event, attempt) -> {});
        witness.await(Happening.DELIVERED, 4);

        assertThat(meters.moved())
                .isEqualTo(Map.of("lanequeue.claimed", 2, "lanequeue.handler", 4, "lanequeue.delivered", 4));
    }

    @Test
    void countsAFailureThatIsTriedAgain() {
        append(1, 1);
        start(measured(), (event, attempt) -> {
            throw new IllegalStateException("no route");
        });
        witness.await(Happening.FAILED, 1);

        assertThat(meters.moved())
                .isEqualTo(Map.of("lanequeue.claimed", 1, "lanequeue.handler", 1, "lanequeue.failed", 1));
    }

    @Test
    void countsALaneThatIsBlocked() {
        append(1, 1);
        start(measured(), (event, attempt) -> {
            throw new NeverAgainException("poison");
        });
        witness.await(Happening.GAVE_UP, 1);

        assertThat(meters.moved())
                .isEqualTo(Map.of("lanequeue.claimed", 1, "lanequeue.handler", 1, "lanequeue.gave.up", 1));
    }

    @Test
    void countsALaneThatIsGivenBack() {
        append(1, 1);
        started(measured()
                .start(
                        task -> {
                            throw new RejectedExecutionException("full");
                        },
                        (event, attempt) -> {},
                        timing));
        witness.await(Happening.RELEASED, 1);

        assertThat(meters.moved()).isEqualTo(Map.of("lanequeue.claimed", 1, "lanequeue.released", 1));
    }

    @Test
    void countsALeaseThatIsLost() {
        append(1, 1);
        start(measured(), (event, attempt) -> {
            begun.open();
            door.passWhateverComes();
        });
        begun.passWhateverComes();
        claimByAnother();
        door.open();
        witness.await(Happening.LOST, 1);

        assertThat(meters.moved())
                .isEqualTo(Map.of("lanequeue.claimed", 1, "lanequeue.handler", 1, "lanequeue.lost", 1));
    }

    @Test
    void countsWhenTheDatabaseGoesAwayAndComesBackHoweverOftenItIsTried() {
        var failure = new AtomicReference<>("08006");
        start(OutboxWorker.on(failing(failure::get), request()).withEvents(events()), (event, attempt) -> {});

        timing.pass(Duration.ofMinutes(1));
        assertThat(meters.moved()).isEqualTo(Map.of("lanequeue.database.went.away", 1));

        failure.set(null);
        timing.pass(Duration.ofMinutes(1));
        assertThat(meters.moved())
                .isEqualTo(Map.of("lanequeue.database.went.away", 1, "lanequeue.database.came.back", 1));
    }

    @Test
    void timesTheHandler() {
        append(1, 1);
        start(measured(), (event, attempt) -> timing.jump(Duration.ofSeconds(3)));
        witness.await(Happening.DELIVERED, 1);

        assertThat(meters.registry().get("lanequeue.handler").timer().totalTime(TimeUnit.SECONDS))
                .isEqualTo(3);
    }

    @Test
    void workersWithTagsOfTheirOwnHaveMetersOfTheirOwn() {
        var registry = new SimpleMeterRegistry();
        append(1, 1);
        start(
                worker(request())
                        .withEvents(WorkerMeters.ofOutbox(registry, Tags.of("worker", "first"))
                                .and(witness)),
                (event, attempt) -> {});
        WorkerMeters.ofOutbox(registry, Tags.of("worker", "second"));
        witness.await(Happening.DELIVERED, 1);

        assertThat(registry.get("lanequeue.delivered")
                        .tag("worker", "first")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("lanequeue.delivered")
                        .tag("worker", "second")
                        .counter()
                        .count())
                .isZero();
    }

    private OutboxWorker.Builder measured() {
        return worker(request()).withEvents(events());
    }

    /** The meters first, so that what the witness has been told of is counted. */
    private WorkerEvents events() {
        return WorkerMeters.ofOutbox(meters.registry()).and(witness);
    }
}
