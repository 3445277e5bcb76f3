package io.lanequeue.worker;

import io.lanequeue.effects.Backoff;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A thread beside a worker's own, for what keeps a connection for long. When that returns it is done again at once, and
 * when it fails, after pauses that grow, until the companion is closed.
 *
 * <p><b>Thread safety.</b> {@link #close} and {@link #isClosed} may be called from any thread; the rest is for its own.
 */
final class Companion {

    private static final Backoff PAUSES = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30));

    private final CountDownLatch closed = new CountDownLatch(1);
    private int failures; // since it last succeeded; for its own thread

    /**
     * @param failed is told of the first failure and of the first one after each success, unless it is closed by then
     */
    void start(String name, Work work, Consumer<Throwable> failed) {
        var thread = new Thread(() -> run(work, failed), name);
        thread.setDaemon(true);
        thread.start();
    }

    private void run(Work work, Consumer<Throwable> failed) {
        while (!isClosed()) {
            try {
                work.run();
            } catch (SQLException | RuntimeException | Error e) { // a pool may throw what it likes
                failures++;
                if (!isClosed() && failures == 1) {
                    failed.accept(e);
                }
                pause(PAUSES.after(failures, ThreadLocalRandom.current()));
            }
        }
    }

    /**
     * For the work, when it has its connection: the next failure is told again. Returns whether it had failed before.
     */
    boolean succeeds() {
        boolean again = failures > 0;
        failures = 0;
        return again;
    }

    void pause(Duration time) {
        try {
            closed.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            close(); // nobody else ends this thread
        }
    }

    boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** The work is not begun again; it looks itself whether it is to end. */
    void close() {
        closed.countDown();
    }

    /** Returns when there is no more to do for the present connection. */
    interface Work {
        void run() throws SQLException;
    }
}
