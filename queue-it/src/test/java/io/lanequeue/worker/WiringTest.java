package io.lanequeue.worker;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.schema.EffectState;
import io.lanequeue.testing.QueueFixture;
import io.lanequeue.worker.Witness.Happening;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Workers reach the queues in every wiring, by a plain {@code DataSource}. */
class WiringTest extends QueueFixture {

    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final Witness witness = new Witness();

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void aWorkerDeliversEvents() {
        new OutboxProducer()
                .appendAll(dsl, List.of(NewEvent.of(1, 1, "message", "{}"), NewEvent.of(2, 1, "message", "{}")));

        try (var worker = OutboxWorker.on(
                        db.dataSource(), db.schema(), ClaimRequest.by("worker").withLanes(2))
                .withEvents(witness)
                .start(threads, (event, attempt) -> {})) {
            worker.wake();
            witness.await(Happening.DELIVERED, 2);
        }

        assertThat(dsl.fetchExists(DISPATCH_OUTBOX)).isFalse();
    }

    @Test
    void aWorkerDoesEffects() {
        new EffectProducer().enqueueAll(dsl, List.of(NewEffect.of("a", "{}"), NewEffect.of("b", "{}")));

        try (var worker = EffectWorker.on(
                        db.dataSource(),
                        db.schema(),
                        DispatchRequest.by("worker").withLimit(2))
                .withEvents(witness)
                .start(threads, (effect, attempt) -> {})) {
            worker.wake();
            witness.await(Happening.DELIVERED, 2);
        }

        assertThat(dsl.fetchCount(EFFECT_QUEUE, EFFECT_QUEUE.STATE.eq(EffectState.DONE)))
                .isEqualTo(2);
    }
}
