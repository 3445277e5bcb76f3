package io.lanequeue.faults;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.ConnectionLostException;
import io.lanequeue.StatementFailedException;
import io.lanequeue.devdb.DurablePostgres;
import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectAudit;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.faults.EffectLedger.Answer;
import io.lanequeue.faults.LaneLedger.Sent;
import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxAudit;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.schema.EffectState;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.QueueContents;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Wiring;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The disk of the tables is full, or that of the write-ahead log. */
class FullDiskTest {

    private static final int LANES = 10;
    private static final int ROUNDS = 20;

    private final OutboxProducer producer = new OutboxProducer();
    private final OutboxConsumer consumer = new OutboxConsumer();
    private final EffectProducer effectProducer = new EffectProducer();
    private final EffectConsumer effectConsumer = new EffectConsumer();
    private final LaneLedger lanes = new LaneLedger();
    private final EffectLedger effects = new EffectLedger();
    private final Random random = new Random(1);
    private int pts;

    @Test
    void whatHasNoRoomInATableIsRefusedAndAllGoesOnWhenThereIsRoom(@TempDir Path directory) throws Exception {
        try (SmallDisk disk = SmallDisk.mount(Files.createDirectory(directory.resolve("disk")), 32);
                DurablePostgres server = DurablePostgres.create(directory)) {
            server.start();
            QueueDatabase db = databaseOn(disk, server);
            DSLContext dsl = db.open().dsl();
            repeat(ROUNDS, dsl, this::produce);
            disk.fill();

            int appends = refusalsOf(context -> lanes.acknowledged(append(context)), dsl);
            int enqueues = refusalsOf(context -> effects.acknowledged(enqueue(context)), dsl);
            int deliveries = refusalsOf(this::deliver, dsl);
            int runs = refusalsOf(this::run, dsl);
            assertThat(List.of(appends, enqueues)).as("refused producers").doesNotContain(0);

            disk.free();
            repeat(ROUNDS, dsl, this::produce);
            drain(dsl);
            System.out.println(
                    "Full disk, tables: of " + ROUNDS + " each " + appends + " appends, " + enqueues + " enqueues, "
                            + deliveries + " deliveries and " + runs + " runs refused; " + lanes + "; " + effects);
            assertThatNothingIsWrong(dsl);
            db.closeSessions();
        }
    }

    private static QueueDatabase databaseOn(SmallDisk disk, DurablePostgres server) throws Exception {
        Path tables = Files.createDirectory(disk.path().resolve("tables"));
        var dataSource = server.dataSource();
        try (var connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("create tablespace small location '" + tables + "'");
            statement.execute("create database small tablespace small");
        }
        dataSource.setDatabaseName("small");
        return QueueDatabase.createIn(dataSource, Wiring.STANDARD);
    }

    /** How many of some calls are refused for want of room. Each of those has changed nothing. */
    private static int refusalsOf(Consumer<DSLContext> call, DSLContext dsl) {
        int refusals = 0;
        for (int i = 0; i < ROUNDS; i++) {
            QueueContents before = QueueContents.of(dsl);
            try {
                call.accept(dsl);
            } catch (StatementFailedException e) {
                assertThat(e.sqlState()).isEqualTo("53100");
                assertThat(QueueContents.of(dsl)).isEqualTo(before);
                refusals++;
            }
        }
        return refusals;
    }

    @Test
    void aServerThatEndsForWantOfLogLosesNothing(@TempDir Path directory) throws Exception {
        try (SmallDisk disk = SmallDisk.mount(Files.createDirectory(directory.resolve("disk")), 64);
                DurablePostgres server = DurablePostgres.create(directory)) {
            moveLog(server, disk);
            server.start();
            QueueDatabase db = QueueDatabase.createIn(server.dataSource(), Wiring.STANDARD);
            repeat(ROUNDS, db.open().dsl(), this::produce);
            disk.fill();

            String sqlState = produceUntilTheServerEnds(db.begin(Isolation.READ_COMMITTED));
            db.closeSessions();
            // It tries to recover, for which it may want room too.
            server.kill();
            disk.free();
            server.start();

            DSLContext dsl = db.open().dsl();
            repeat(ROUNDS, dsl, this::produce);
            drain(dsl);
            System.out.println("Full disk, log: the server ended (" + sqlState + "); " + lanes + "; " + effects);
            assertThatNothingIsWrong(dsl);
            db.closeSessions();
        }
    }

    private static void moveLog(DurablePostgres server, SmallDisk disk) throws IOException, InterruptedException {
        Path log = server.data().resolve("pg_wal");
        Path moved = disk.path().resolve("pg_wal");
        assertThat(new ProcessBuilder("mv", log.toString(), moved.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        Files.createSymbolicLink(log, moved);
    }

    /** What the server or the driver said last. */
    private String produceUntilTheServerEnds(Session session) {
        while (true) {
            Set<Sent> events;
            List<Answer> queued;
            try {
                events = append(session.dsl());
                queued = enqueue(session.dsl());
            } catch (ConnectionLostException e) {
                return e.sqlState();
            }
            try {
                session.connection().commit();
            } catch (SQLException e) {
                lanes.inDoubt(events);
                effects.inDoubt(queued);
                return String.valueOf(e.getSQLState());
            }
            lanes.acknowledged(events);
            effects.acknowledged(queued);
        }
    }

    private static void repeat(int times, DSLContext dsl, Consumer<DSLContext> call) {
        for (int i = 0; i < times; i++) {
            call.accept(dsl);
        }
    }

    private void produce(DSLContext dsl) {
        lanes.acknowledged(append(dsl));
        effects.acknowledged(enqueue(dsl));
    }

    private Set<Sent> append(DSLContext dsl) {
        NewEvent event = NewEvent.of(pts % LANES, pts++, "message", "\"" + payload() + "\"");
        return Set.of(Sent.of(producer.append(dsl, event), event));
    }

    private List<Answer> enqueue(DSLContext dsl) {
        NewEffect effect = NewEffect.of("repo " + pts % LANES, payload());
        return List.of(new Answer(effect, effectProducer.enqueue(dsl, effect)));
    }

    /** Long, and not to be compressed. */
    private String payload() {
        byte[] bytes = new byte[25_000];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private void deliver(DSLContext dsl) {
        Claim claim = consumer.claim(dsl, ClaimRequest.by("worker").withLanes(1).withLease(Duration.ofMillis(300)));
        for (Event event : claim.events()) {
            lanes.handled(Sent.of(event));
        }
        consumer.complete(dsl, claim);
    }

    private void run(DSLContext dsl) {
        List<ClaimedEffect> claimed =
                effectConsumer.dispatch(dsl, DispatchRequest.by("dispatcher").withLimit(1));
        claimed.forEach(effect -> effects.handled(effect.claim().effect()));
        effectConsumer.complete(dsl, claimed.stream().map(ClaimedEffect::claim).toList());
    }

    private void drain(DSLContext dsl) {
        while (dsl.fetchExists(DISPATCH_OUTBOX)
                || dsl.fetchExists(EFFECT_QUEUE, EFFECT_QUEUE.STATE.ne(EffectState.DONE))) {
            deliver(dsl);
            run(dsl);
        }
    }

    private void assertThatNothingIsWrong(DSLContext dsl) {
        assertThat(lanes.violations(List.of())).isEmpty();
        assertThat(effects.violations(dsl)).isEmpty();
        assertThat(new OutboxAudit().disagreements(dsl, 10)).isEmpty();
        assertThat(new EffectAudit().disagreements(dsl, 10)).isEmpty();
    }
}
