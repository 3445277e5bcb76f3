package io.lanequeue.testing;

import io.lanequeue.schema.LanequeueSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** One connection of a test. */
public final class Session implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Connection connection;
    private final DSLContext dsl;
    private final QueueDatabase database;
    private final int pid;

    Session(Connection connection, LanequeueSchema schema, QueueDatabase database) {
        this.connection = connection;
        this.database = database;
        Settings settings = schema.settings();
        this.dsl = DSL.using(connection, SQLDialect.POSTGRES, settings);
        // A transaction that the library began on it would fail.
        this.dsl.configuration().set(new RefusingTransactionProvider());
        this.pid = dsl.fetchSingle("select pg_backend_pid()").get(0, int.class);
    }

    /** The context under test; beginning a transaction on it throws. */
    public DSLContext dsl() {
        return dsl;
    }

    public Connection connection() {
        return connection;
    }

    /** The server's process of this session. */
    public int pid() {
        return pid;
    }

    /** Lets the next transactions run at this level, with autocommit off. */
    public void begin(Isolation isolation) {
        run(() -> {
            connection.setTransactionIsolation(isolation.level());
            connection.setAutoCommit(false);
        });
    }

    /** From now on each statement is a transaction of its own, at READ COMMITTED. */
    public void autocommit() {
        run(() -> {
            connection.setAutoCommit(true);
            connection.setTransactionIsolation(Isolation.READ_COMMITTED.level());
        });
    }

    /** Takes the snapshot of a transaction above READ COMMITTED, without touching a table of the queue. */
    public Session snapshot() {
        dsl.fetch("select 1");
        return this;
    }

    public void commit() {
        run(connection::commit);
    }

    /**
     * Whether the transaction could be committed; if not, the server chose it to give way (40001) and nothing happened.
     */
    public boolean tryCommit() {
        try {
            connection.commit();
            return true;
        } catch (SQLException e) {
            if ("40001".equals(e.getSQLState())) {
                return false;
            }
            throw new IllegalStateException(e);
        }
    }

    public void rollback() {
        run(connection::rollback);
    }

    /** Returns when the server has ended this session: its process is gone, and with it its locks. */
    public void awaitEnd() {
        try (Session observer = database.open()) {
            Await.until("the server has ended the session", () -> !isServed(observer));
        }
    }

    private boolean isServed(Session observer) {
        return observer.dsl()
                .fetchSingle("select exists (select from pg_stat_activity where pid = ?)", pid)
                .get(0, boolean.class);
    }

    /** Starts a call on a thread of its own. */
    public <T> Call<T> start(Function<DSLContext, T> call) {
        var task = new FutureTask<>(() -> call.apply(dsl));
        var thread = new Thread(task, "session-" + pid);
        thread.setDaemon(true);
        thread.start();
        return new Call<>(task);
    }

    @Override
    public void close() {
        run(connection::close);
    }

    private static void run(SqlAction action) {
        try {
            action.run();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface SqlAction {
        void run() throws SQLException;
    }

    /** A call that is under way on this session. */
    public final class Call<T> {

        private final FutureTask<T> task;

        private Call(FutureTask<T> task) {
            this.task = task;
        }

        /** Returns when the server says that the call waits for a lock; fails if it ends instead. */
        public Call<T> awaitWaiting() {
            if (!waitsBeforeItEnds()) {
                throw new AssertionError("The call ended instead of waiting: " + outcome());
            }
            return this;
        }

        /** Returns true when the server says that the call waits for a lock, and false when the call has ended. */
        public boolean waitsBeforeItEnds() {
            Instant deadline = Instant.now().plus(PATIENCE);
            while (!hasEnded()) {
                if (waits()) {
                    return true;
                }
                if (Instant.now().isAfter(deadline)) {
                    throw new AssertionError("The call neither ended nor waited for a lock");
                }
            }
            return false;
        }

        /** Whether the call ended, within a millisecond or before: most do, and then the server need not be asked. */
        public boolean hasEnded() {
            try {
                task.get(1, TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException e) {
                return false;
            } catch (ExecutionException e) {
                return true;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        /** Promotion cuts its own waits short, so one of it is none. */
        private boolean waits() {
            if (!isBlocked()) {
                return false;
            }
            // The server does not show statement and lock of one moment. The same statement before and after is the one
            // that waits.
            Record statement = statement();
            return isBlocked()
                    && statement.equals(statement())
                    && !statement.get("query", String.class).contains("effect_queue_promote_due");
        }

        private boolean isBlocked() {
            return database.observer()
                    .fetchSingle("select cardinality(pg_blocking_pids(?)) > 0", pid)
                    .get(0, boolean.class);
        }

        private Record statement() {
            return database.observer().fetchSingle("select query, query_start from pg_stat_get_activity(?)", pid);
        }

        private @Nullable Object outcome() {
            try {
                return task.get();
            } catch (InterruptedException | ExecutionException e) {
                return e;
            }
        }

        /** The call's result; throws what the call threw. */
        public T get() {
            try {
                return task.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof RuntimeException thrown) {
                    throw thrown;
                }
                throw new IllegalStateException(e.getCause());
            } catch (InterruptedException | TimeoutException e) {
                throw new AssertionError("The call did not end", e);
            }
        }
    }
}
