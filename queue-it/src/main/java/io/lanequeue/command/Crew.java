package io.lanequeue.command;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The threads of a run. */
public final class Crew implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 30;

    private final ExecutorService threads = Executors.newCachedThreadPool(Crew::daemon);
    private final List<Future<?>> jobs = new ArrayList<>();
    private final CountDownLatch stop = new CountDownLatch(1);

    /** A thread that does not keep the JVM alive. */
    public static Thread daemon(Runnable work) {
        var thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }

    /** Starts a job on a thread of its own. */
    public Future<?> start(Callable<?> job) {
        Future<?> started = threads.submit(job);
        jobs.add(started);
        return started;
    }

    /** For jobs that go on until the crew stops: opened then. */
    public CountDownLatch stop() {
        return stop;
    }

    /** Throws what a job threw, if one did. */
    public void check() throws InterruptedException {
        for (Future<?> job : jobs) {
            if (job.isDone()) {
                resultOf(job);
            }
        }
    }

    private static void resultOf(Future<?> job) throws InterruptedException {
        try {
            job.get();
        } catch (ExecutionException e) {
            throw new CommandFailedException("A thread of the run failed", e.getCause());
        }
    }

    /** Tells the jobs to stop, and waits until they have. */
    public void finish() throws InterruptedException {
        close();
        if (!threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new CommandFailedException("A thread of the run did not stop");
        }
        check();
    }

    @Override
    public void close() {
        stop.countDown();
        threads.shutdown();
    }
}
