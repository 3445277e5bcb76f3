package io.lanequeue.worker;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.metrics.WorkerMeters;
import io.lanequeue.schema.EffectState;
import io.lanequeue.worker.Witness.Happening;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which meters move when a worker of the effect queue does something, and that the others do not. */
class EffectWorkerMetersTest extends EffectWorkerFixture {

    private final MovedMeters meters = new MovedMeters("effects");
    private final Latch begun = new Latch();
    private final Latch door = new Latch();

    @Test
    void countsEffectsThatAreClaimedAndDone() {
        enqueue("one", 2);
        enqueue("another", 1);
        start(measured(), (effect, attempt) -> {});
        witness.await(Happening.DELIVERED, 3);

        assertThat(meters.moved())
                .isEqualTo(Map.of("lanequeue.claimed", 3, "lanequeue.handler", 3, "lanequeue.delivered", 3));
    }

    @Test
    void countsAFailureThatIsTriedAgain() {
        enqueue("repo");
        start(measured(), (effect, attempt) -> {
            throw new IllegalStateException("no route");
        });
        witness.await(Happening.FAILED, 1);

        assertThat(meters.moved())
                .isEqualTo(Map.of("lanequeue.claimed", 1, "lanequeue.handler", 1, "lanequeue.failed", 1));
    }

    @Test
    void countsAnEffectThatFailedForGood() {
        enqueue("repo");
        start(measured(), (effect, attempt) -> {
            throw new NeverAgainException("no such branch");
        });
        witness.await(Happening.GAVE_UP, 1);

        assertThat(meters.moved())
                .isEqualTo(Map.of("lanequeue.claimed", 1, "lanequeue.handler", 1, "lanequeue.gave.up", 1));
    }

    @Test
    void countsAClaimThatIsLost() {
        enqueue("repo");
        start(measured(), (effect, attempt) -> {
            begun.open();
            door.passWhateverComes();
        });
        begun.passWhateverComes();
        takeBack();
        claimAndDie();
        door.open();
        witness.await(Happening.LOST, 1);

        assertThat(meters.moved())
                .isEqualTo(Map.of("lanequeue.claimed", 1, "lanequeue.handler", 1, "lanequeue.lost", 1));
    }

    @Test
    void countsEffectsThatAreTakenBackFromADeadWorker() {
        enqueue("repo", 3);
        claimAndDie();
        dsl.update(EFFECT_QUEUE)
                .set(EFFECT_QUEUE.CLAIMED_AT, now().minus(Duration.ofHours(1)))
                .where(EFFECT_QUEUE.STATE.eq(EffectState.CLAIMED))
                .execute();

        start(measured(), (effect, attempt) -> {});
        timing.pass(STALE);
        witness.await(Happening.DELIVERED, 3);

        assertThat(meters.moved())
                .isEqualTo(Map.of(
                        "lanequeue.requeued", 3,
                        "lanequeue.claimed", 3,
                        "lanequeue.handler", 3,
                        "lanequeue.delivered", 3));
    }

    /** The meters first, so that what the witness has been told of is counted. */
    private EffectWorker.Builder measured() {
        return worker(request())
                .withEvents(WorkerMeters.ofEffects(meters.registry()).and(witness));
    }
}
