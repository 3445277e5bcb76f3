package io.lanequeue.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.testing.Await;
import io.lanequeue.testing.ConnectingDataSource;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.PooledConnections;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Relay;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Wiring;
import io.lanequeue.worker.Witness.Happening;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.tools.jdbc.DefaultConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Workers that are woken by notifications, in time that stands still; and the connection on which these come. */
@ParameterizedClass(name = "{0}")
@EnumSource(
        value = Wiring.class,
        names = {"STANDARD", "OTHER_SCHEMA"})
class NotificationTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(200);

    private final Wiring wiring;
    private final QueueDatabase db;
    private final Session session;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ManualTiming timing = new ManualTiming();
    private final Witness witness = new Witness();
    private final Semaphore wakeUps = new Semaphore(0);
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    NotificationTest(Wiring wiring) {
        this.wiring = wiring;
        db = QueueDatabase.create(wiring);
        db.schema().migrateNotifications(db.dataSource());
        session = db.open();
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable opened : open) {
            opened.close();
        }
        threads.shutdownNow();
        db.closeSessions();
    }

    @Test
    void migratesOnce() {
        assertThat(db.schema().migrateNotifications(db.dataSource())).isZero();
        assertThat(db.schema().migrate(db.dataSource())).isZero();
    }

    /** Its locks are on one table at a time. */
    @Test
    void migratesBesideATransactionThatWritesToBothTables() throws Exception {
        QueueDatabase running = QueueDatabase.create(wiring);
        open.push(running::closeSessions);
        Session writer = running.begin(Isolation.READ_COMMITTED);
        new EffectProducer().enqueue(writer.dsl(), NewEffect.of("repo", "{}"));
        var migration = new FutureTask<>(() -> running.schema().migrateNotifications(running.dataSource()));
        threads.execute(migration);
        awaitBlockedBy(writer, running.open());

        append(writer.dsl(), 1);
        writer.commit();

        assertThat(migration.get()).isEqualTo(2);
    }

    /** Until the server says that somebody waits for what this session holds. */
    private static void awaitBlockedBy(Session holder, Session observer) {
        Await.until(
                "somebody waits for the session",
                () -> observer.dsl()
                        .fetchSingle(
                                "select exists (select from pg_stat_activity where ? = any (pg_blocking_pids(pid)))",
                                holder.pid())
                        .get(0, boolean.class));
    }

    @Test
    void anAppendWakesAnIdleWorker() {
        open.push(OutboxWorker.on(db.dataSource(), db.schema(), ClaimRequest.by("worker"))
                .withPollInterval(LONG)
                .withEvents(witness)
                .withNotifications(db.dataSource(), db.schema())
                .start(threads, (event, attempt) -> {}, timing));
        awaitListener();
        timing.awaitWaiting();

        append(session.dsl(), 1);
        witness.await(Happening.DELIVERED, 1);
        timing.awaitWaiting();
        append(session.dsl(), 2);
        witness.await(Happening.DELIVERED, 2);
    }

    @Test
    void anEnqueueWakesAnIdleWorker() {
        open.push(EffectWorker.on(db.dataSource(), db.schema(), DispatchRequest.by("worker"))
                .withPollInterval(LONG)
                .withEvents(witness)
                .withNotifications(db.dataSource(), db.schema())
                .start(threads, (effect, attempt) -> {}, timing));
        awaitListener();
        timing.awaitWaiting();

        new EffectProducer().enqueue(session.dsl(), NewEffect.of("repo", "{}"));

        witness.await(Happening.DELIVERED, 1);
    }

    @Test
    void hearsOfItsOwnTableOnly() throws Exception {
        listen(new Listener(db.dataSource(), db.schema(), "dispatch_outbox", LONG, wakeUps::release));
        awaitWakeUp();

        for (int i = 0; i < 50; i++) {
            new EffectProducer().enqueue(session.dsl(), NewEffect.of("repo", "{}"));
        }
        append(session.dsl(), 1);

        awaitWakeUp();
        // They came in this order, so none of the first ones woke anybody.
        assertThat(wakeUps.availablePermits()).isZero();
    }

    @Test
    void listensAgainWhenItsConnectionIsLost() throws Exception {
        listen(new Listener(db.dataSource(), db.schema(), "dispatch_outbox", LONG, wakeUps::release));
        awaitWakeUp();
        awaitListener();

        session.dsl()
                .fetch("select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%'"
                        + " and datname = current_database()");

        // Woken for what it may have missed, and then for what comes.
        awaitWakeUp();
        append(session.dsl(), 1);
        awaitWakeUp();
    }

    @Test
    void listensAgainWhenItsConnectionIsHalfOpen() throws Exception {
        Relay relay = Relay.before(db.dataSource());
        open.push(relay);
        listen(new Listener(relay.dataSource(), db.schema(), "dispatch_outbox", SHORT, wakeUps::release));
        awaitWakeUp();

        relay.nextPassage().goDeaf();

        relay.nextPassage();
        awaitWakeUp();
        append(session.dsl(), 1);
        awaitWakeUp();
    }

    @Test
    void listensAsSoonAsItsDataSourceLetsIt() throws Exception {
        var refused = new AtomicBoolean(true);
        var way = new ConnectingDataSource(() -> {
            if (refused.getAndSet(false)) {
                throw new IllegalStateException("by the test: the pool is closed");
            }
            return db.dataSource().getConnection();
        });
        listen(new Listener(way, db.schema(), "dispatch_outbox", LONG, wakeUps::release));

        awaitWakeUp();
    }

    @Test
    void listensAgainAfterAnError() throws Exception {
        var failing = new AtomicBoolean(true);
        var way = new ConnectingDataSource(() -> {
            if (failing.getAndSet(false)) {
                throw new OutOfMemoryError("by the test");
            }
            return db.dataSource().getConnection();
        });
        listen(new Listener(way, db.schema(), "dispatch_outbox", LONG, wakeUps::release));

        awaitWakeUp();
    }

    /** It hears nothing, so it has nothing to wake the worker for; least of all at each try. */
    @Test
    void wakesNobodyWhenItsDataSourceHidesTheServersConnection() throws Exception {
        var tries = new Semaphore(0);
        var way = new ConnectingDataSource(() -> {
            tries.release();
            return hiding(db.dataSource().getConnection());
        });
        listen(new Listener(way, db.schema(), "dispatch_outbox", LONG, wakeUps::release));

        assertThat(tries.tryAcquire(3, 30, TimeUnit.SECONDS)).as("tried thrice").isTrue();
        assertThat(wakeUps.availablePermits()).isZero();
    }

    private static Connection hiding(Connection connection) {
        return new DefaultConnection(connection) {
            @Override
            public <T> T unwrap(Class<T> type) throws SQLException {
                throw new SQLException("by the test: not a wrapper");
            }
        };
    }

    @Test
    void keepsItsConnectionWhileTheServerShowsSignsOfLife() throws Exception {
        Relay relay = Relay.before(db.dataSource());
        open.push(relay);
        listen(new Listener(
                relay.dataSource(), db.schema(), "dispatch_outbox", Duration.ofMillis(1), wakeUps::release));
        awaitWakeUp();

        for (int pts = 1; pts <= 20; pts++) {
            append(session.dsl(), pts);
            awaitWakeUp();
        }

        relay.nextPassage();
        assertThat(relay.passages()).isEmpty();
    }

    @Test
    void endsWithItsWorker() {
        OutboxWorker worker = OutboxWorker.on(db.dataSource(), db.schema(), ClaimRequest.by("worker"))
                .withNotifications(db.dataSource(), db.schema())
                .start(threads, (event, attempt) -> {});
        awaitListener();

        worker.close();

        Await.until("nobody listens", () -> listeners() == 0);
    }

    /** Closed between the two, it finds nothing to cut; and the pool would hand on a session that listens. */
    @Test
    void noSessionThatListensGoesBackToItsPoolThoughTheListenerIsClosedWhileItConnects() {
        Session pooled = db.open();
        DataSource pool = PooledConnections.ofOne(pooled.connection());
        var toBeClosed = new CompletableFuture<Listener>();
        DataSource way = new ConnectingDataSource(() -> {
            toBeClosed.join().close();
            return pool.getConnection();
        });
        toBeClosed.complete(new Listener(way, db.schema(), "dispatch_outbox", LONG, wakeUps::release));

        listen(toBeClosed.join());

        pooled.awaitEnd();
    }

    private void listen(Listener listener) {
        open.push(listener);
        listener.start("test");
    }

    private void awaitWakeUp() throws InterruptedException {
        assertThat(wakeUps.tryAcquire(30, TimeUnit.SECONDS)).as("woken").isTrue();
    }

    /** Until then a notification would not be heard. */
    private void awaitListener() {
        Await.until("somebody listens", () -> listeners() > 0);
    }

    private int listeners() {
        return session.dsl()
                .fetchSingle("select count(*)::int from pg_stat_activity where query like 'listen%' and state = 'idle'"
                        + " and datname = current_database()")
                .get(0, int.class);
    }

    private static void append(DSLContext dsl, int pts) {
        new OutboxProducer().append(dsl, NewEvent.of(1, pts, "message", "{}"));
    }
}
