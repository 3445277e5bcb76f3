package io.lanequeue.worker;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;

import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.EffectUpkeep;
import io.lanequeue.effects.Enqueued;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.RepoId;
import io.lanequeue.schema.jooq.tables.records.EffectQueueRecord;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Workers of the effect queue. */
abstract class EffectWorkerFixture extends WorkerFixture {

    static final Duration STALE = Duration.ofMinutes(3);
    static final int MANY = 10_000;

    static RepoId repo(String name) {
        return new RepoId(name);
    }

    static DispatchRequest request() {
        return DispatchRequest.by("worker").withLimit(4);
    }

    EffectWorker.Builder worker(DispatchRequest request) {
        return EffectWorker.on(source(), request)
                .withStaleAfter(STALE)
                .withPollInterval(POLL_INTERVAL)
                .withEvents(witness);
    }

    /** A worker in whose time nothing happens by itself. */
    EffectWorker start(EffectHandler handler) {
        return start(worker(request()), handler);
    }

    EffectWorker start(EffectWorker.Builder builder, EffectHandler handler) {
        return started(builder.start(threads, handler, timing));
    }

    /** A worker in real time. */
    EffectWorker run(EffectWorker.Builder builder, EffectHandler handler) {
        return started(builder.withPollInterval(Duration.ofMillis(20)).start(threads, handler));
    }

    EffectId enqueue(String repo) {
        return enqueue(repo, 1).get(0);
    }

    List<EffectId> enqueue(String repo, int count) {
        return new EffectProducer()
                        .enqueueAll(
                                dsl,
                                IntStream.range(0, count)
                                        .mapToObj(i -> NewEffect.of(repo, "payload " + i))
                                        .toList())
                        .stream()
                        .map(Enqueued::id)
                        .toList();
    }

    EffectQueueRecord effect(EffectId id) {
        return dsl.fetchSingle(EFFECT_QUEUE, EFFECT_QUEUE.ID.eq(id));
    }

    int count(EffectState state) {
        return dsl.fetchCount(EFFECT_QUEUE, EFFECT_QUEUE.STATE.eq(state));
    }

    /** Takes every claim back, as if all workers had been silent for long. */
    void takeBack() {
        EffectUpkeep.at(TOMORROW).requeueStale(dsl, Duration.ofHours(1), MANY, MANY);
    }

    /** Claims as a worker that never reports. */
    List<ClaimedEffect> claimAndDie() {
        return new EffectConsumer()
                .dispatch(dsl, DispatchRequest.by("dead worker").withLimit(MANY));
    }
}
