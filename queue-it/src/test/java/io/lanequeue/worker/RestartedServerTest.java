package io.lanequeue.worker;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.max;

import io.lanequeue.devdb.DurablePostgres;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectAudit;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.OutboxAudit;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.LanequeueSchema;
import io.lanequeue.testing.Await;
import io.lanequeue.testing.NumberedEvents;
import io.lanequeue.worker.Witness.Happening;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed and started again under several workers, which lose their connections and go on. */
class RestartedServerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int WORKERS = 4;
    private static final int USERS = 40;
    private static final int EVENTS_EACH = 50;
    private static final int KILLS = 2;
    private static final int DELIVERED_BETWEEN = 300;
    private static final int REPOS = 5;
    private static final int EFFECTS = 1_000;
    private static final int CAP = 2;
    private static final int LOOK_EVERY = 10;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<AutoCloseable> workers = new ArrayList<>();
    private final Witness witness = new Witness();

    private final Deliveries deliveries = new Deliveries();
    private final AtomicInteger mostInFlight = new AtomicInteger();

    /** What a handler throws would be tried again instead of failing the test. */
    private final Queue<String> failedLooks = new ConcurrentLinkedQueue<>();

    @AfterEach
    void endWorkers() throws Exception {
        threads.shutdownNow();
        for (AutoCloseable worker : workers) {
            worker.close();
        }
    }

    @Test
    void noEventIsLostAndOrderIsKept(@TempDir Path directory) throws Exception {
        try (var server = started(directory)) {
            DSLContext dsl = context(server);
            NumberedEvents.appendToAll(dsl, USERS, EVENTS_EACH);
            for (int i = 0; i < WORKERS; i++) {
                ClaimRequest request = ClaimRequest.by("worker " + i)
                        .withLanes(3)
                        .withEventsPerLane(3)
                        .withLease(Duration.ofSeconds(2));
                workers.add(OutboxWorker.on(server.dataSource(), LanequeueSchema.standard(), request)
                        .withPollInterval(Duration.ofMillis(50))
                        .withEvents(witness)
                        .start(threads, (event, attempt) -> deliveries.deliver(event)));
            }

            killAndStartAgain(server);
            Await.within(
                    PATIENCE,
                    () -> "all events are delivered: " + deliveries.last(),
                    () -> !dsl.fetchExists(DISPATCH_OUTBOX));
            endWorkers();

            assertThat(new OutboxAudit().disagreements(dsl, 10)).isEmpty();
        }
        assertThat(deliveries.mistakes()).isEmpty();
        assertThat(deliveries.last())
                .hasSize(USERS)
                .allSatisfy((user, pts) -> assertThat(pts).isEqualTo(EVENTS_EACH));
    }

    @Test
    void noEffectIsLostAndNoCapIsPassed(@TempDir Path directory) throws Exception {
        try (var server = started(directory)) {
            DSLContext dsl = context(server);
            new EffectProducer()
                    .enqueueAll(
                            dsl,
                            IntStream.range(0, EFFECTS)
                                    .mapToObj(i -> NewEffect.of("repo " + i % REPOS, "payload " + i))
                                    .toList());
            Set<EffectId> handled = ConcurrentHashMap.newKeySet();
            for (int i = 0; i < WORKERS; i++) {
                DispatchRequest request =
                        DispatchRequest.by("worker " + i).withLimit(4).withCap(CAP);
                workers.add(EffectWorker.on(server.dataSource(), LanequeueSchema.standard(), request)
                        .withPollInterval(Duration.ofMillis(50))
                        .withStaleAfter(Duration.ofSeconds(2))
                        .withEvents(witness)
                        .start(threads, (effect, attempt) -> {
                            handled.add(effect.claim().effect());
                            if (handled.size() % LOOK_EVERY == 0) {
                                lookAtTheCap(server);
                            }
                        }));
            }

            killAndStartAgain(server);
            Await.within(
                    PATIENCE,
                    () -> "all effects are done; " + handled.size() + " were handled",
                    () -> dsl.fetchCount(EFFECT_QUEUE, EFFECT_QUEUE.STATE.eq(EffectState.DONE)) == EFFECTS);
            endWorkers();

            assertThat(handled).hasSize(EFFECTS);
            assertThat(new EffectAudit().disagreements(dsl, 10)).isEmpty();
        }
        assertThat(mostInFlight.get()).isBetween(1, CAP);
        assertThat(failedLooks).allSatisfy(sqlState -> assertThat(sqlState).matches("08.*|57P.*"));
    }

    private static DurablePostgres started(Path directory) {
        var server = DurablePostgres.create(directory);
        server.start();
        LanequeueSchema.standard().migrate(server.dataSource());
        return server;
    }

    private static DSLContext context(DurablePostgres server) {
        return DSL.using(server.dataSource(), SQLDialect.POSTGRES);
    }

    private void killAndStartAgain(DurablePostgres server) {
        for (int kill = 1; kill <= KILLS; kill++) {
            witness.await(Happening.DELIVERED, kill * DELIVERED_BETWEEN);
            server.kill();
            witness.await(Happening.WENT_AWAY, kill * WORKERS);
            server.start();
            witness.await(Happening.CAME_BACK, kill * WORKERS);
        }
    }

    /** As the database has it, dead claims included; while it is away there is nothing to see. */
    private void lookAtTheCap(DurablePostgres server) {
        try {
            Integer most = context(server)
                    .select(max(EFFECT_QUEUE_REPO_HEADS.IN_FLIGHT))
                    .from(EFFECT_QUEUE_REPO_HEADS)
                    .fetchSingle()
                    .value1();
            mostInFlight.accumulateAndGet(most == null ? 0 : most, Math::max);
        } catch (DataAccessException e) {
            failedLooks.add(e.sqlState());
        }
    }
}
