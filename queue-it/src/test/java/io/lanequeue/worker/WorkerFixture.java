package io.lanequeue.worker;

import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Sent;
import io.lanequeue.testing.Wiring;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** The queues, workers on them, and threads for their handlers. */
abstract class WorkerFixture {

    /** So long that a test may let minutes pass without many looks. */
    static final Duration POLL_INTERVAL = Duration.ofMinutes(1);

    /** Long in real time: what ends a stop is the worker's time, or that nothing is left. */
    static final Duration DEADLINE = Duration.ofMinutes(10);

    static final Instant TOMORROW = Instant.now().plus(Duration.ofDays(1));

    final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);
    final DSLContext dsl = db.open().dsl();
    final ExecutorService threads = Executors.newCachedThreadPool();
    final ManualTiming timing = new ManualTiming();
    final Witness witness = new Witness();
    private final List<AutoCloseable> workers = new ArrayList<>();

    @AfterEach
    void endWorkers() throws Exception {
        threads.shutdownNow();
        for (AutoCloseable worker : workers) {
            worker.close();
        }
        db.reset();
    }

    /** To be ended with the test. */
    <W extends AutoCloseable> W started(W worker) {
        workers.add(worker);
        return worker;
    }

    /** Takes its connections from the data source. */
    DSLContext source() {
        return db.source();
    }

    /** A stop under way; the worker has told its handlers, and waits for them. */
    FutureTask<StopReport> stopping(Function<Duration, StopReport> stop) {
        var task = new FutureTask<>(() -> stop.apply(DEADLINE));
        timing.awaitWaitingAgainAfter(() -> new Thread(task, "stopping").start());
        return task;
    }

    /** As {@link #source}, and each statement fails with the SQLSTATE that it is told, if any. */
    DSLContext failing(Failures failures) {
        return Sent.listened(source(), sql -> {
            String sqlState = failures.next();
            if (sqlState != null) {
                throw new DataAccessException("By the test", new SQLException("by the test", sqlState));
            }
        });
    }

    /** How the next statement fails; null if it does not. */
    interface Failures {
        @Nullable
        String next();
    }

    /** The database's clock. */
    Instant now() {
        return dsl.fetchSingle("select clock_timestamp()").get(0, Instant.class);
    }
}
