package io.lanequeue.faults;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.testing.QueueCall;
import io.lanequeue.testing.QueueContents;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Wiring;
import io.lanequeue.worker.EffectWorker;
import io.lanequeue.worker.OutboxWorker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A pool in transaction mode in front of the server. It needs PgBouncer on the machine. */
@Tag("tools")
class PgBouncerTest {

    private static final int POOL_SIZE = 3;
    private static final int PRODUCERS = 2;
    private static final int CONSUMERS = 2;
    private static final int HANDLED = 500;

    @AutoClose
    private static PgBouncer pool;

    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);
    private final DSLContext dsl = db.open().dsl();

    @BeforeAll
    static void startPool(@TempDir Path directory) throws IOException {
        pool = PgBouncer.before(QueueDatabase.of(Wiring.STANDARD).dataSource(), POOL_SIZE, directory);
    }

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @ParameterizedTest
    @MethodSource({EveryCall.CHANGES, EveryCall.LOOKS})
    void everyCallWorksThroughThePool(QueueCall operation) {
        Function<DSLContext, Object> call = operation.prepare(dsl);
        QueueContents before = QueueContents.of(dsl);

        assertThat(call.apply(db.openBy(pool.dataSource()).dsl())).isNotNull();

        assertThat(QueueContents.of(dsl).equals(before)).isEqualTo(operation.isReadOnly());
        assertThat(leftOnConnections()).isEmpty();
    }

    @Test
    void moreClientsThanConnectionsShareThem() throws Exception {
        var lanes = new LaneLedger();
        var effects = new EffectLedger();
        var sampler = new Sampler(EffectLoad.CAP);
        try (var outbox = RunningLoad.start(new OutboxLoad(lanes), PRODUCERS, CONSUMERS, PgBouncerTest::client);
                var queue = RunningLoad.start(new EffectLoad(effects), PRODUCERS, CONSUMERS, PgBouncerTest::client)) {
            outbox.lookUntilHandled(HANDLED, () -> sampler.look(dsl));
            queue.lookUntilHandled(HANDLED, () -> sampler.look(dsl));
            outbox.finish();
            queue.finish();
        }

        System.out.println("PgBouncer: " + 2 * (PRODUCERS + CONSUMERS) + " clients on " + POOL_SIZE + " connections; "
                + lanes + "; " + effects);
        assertThat(lanes.violations(
                        dsl.select(DISPATCH_OUTBOX.ID).from(DISPATCH_OUTBOX).fetch(DISPATCH_OUTBOX.ID)))
                .isEmpty();
        assertThat(effects.violations(dsl)).isEmpty();
        assertThat(sampler.violations()).isEmpty();
        assertThat(leftOnConnections()).isEmpty();
        assertThat(onEachConnection("select pg_backend_pid()"))
                .as("each transaction may be on another one")
                .hasSizeGreaterThan(1);
    }

    private static Client client() {
        return new Client(() -> pool.dataSource().getConnection(), new AtomicInteger());
    }

    @Test
    void workersWorkThroughThePool() throws InterruptedException {
        ExecutorService threads = Executors.newCachedThreadPool();
        var handled = new CountDownLatch(2);
        new OutboxProducer().append(dsl, NewEvent.of(17, 1, "message", "{}"));
        new EffectProducer().enqueue(dsl, NewEffect.of("site", "commit 1"));

        try (OutboxWorker events = OutboxWorker.on(pool.dataSource(), db.schema(), ClaimRequest.by("events"))
                        .start(threads, (event, attempt) -> handled.countDown());
                EffectWorker effects = EffectWorker.on(pool.dataSource(), db.schema(), DispatchRequest.by("effects"))
                        .start(threads, (effect, attempt) -> handled.countDown())) {
            assertThat(handled.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(events.stop(Duration.ofSeconds(20)).isClean()).isTrue();
            assertThat(effects.stop(Duration.ofSeconds(20)).isClean()).isTrue();
        } finally {
            threads.shutdown();
        }
        assertThat(leftOnConnections()).isEmpty();
    }

    @Test
    void findsWhatACallLeavesOnItsConnection() {
        DSLContext client = db.openBy(pool.dataSource()).dsl();
        client.fetch("select pg_advisory_lock(1)");
        client.execute("set work_mem = '5MB'");
        client.execute("create temporary table scratch ()");

        Set<String> left = leftOnConnections();
        List.of("select pg_advisory_unlock_all()", "reset work_mem", "drop table if exists pg_temp.scratch")
                .forEach(this::onEachConnection);

        assertThat(left).containsExactlyInAnyOrder("advisory lock", "setting work_mem", "table scratch");
        assertThat(leftOnConnections()).isEmpty();
    }

    /** What others could trip over. Some settings PgBouncer itself carries from connection to connection. */
    private Set<String> leftOnConnections() {
        return onEachConnection("select 'advisory lock' from pg_locks where locktype = 'advisory'"
                + " and database = (select oid from pg_database where datname = current_database())"
                + " union all select 'statement ' || name from pg_prepared_statements"
                + " union all select 'table ' || relname from pg_class where relpersistence = 't'"
                + " union all select 'setting ' || name from pg_settings where source = 'session' and name not in"
                + " ('application_name', 'client_encoding', 'DateStyle', 'standard_conforming_strings', 'TimeZone')");
    }

    private Set<String> onEachConnection(String query) {
        DSLContext client = db.openBy(pool.dataSource()).dsl();
        return Stream.generate(() -> client.fetch(query))
                .limit(2 * POOL_SIZE)
                .flatMap(rows -> rows.getValues(0, String.class).stream())
                .collect(toSet());
    }
}
