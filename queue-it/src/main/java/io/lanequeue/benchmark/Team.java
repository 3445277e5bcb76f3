package io.lanequeue.benchmark;

import io.lanequeue.command.CommandFailedException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that stay, so that starting them is not part of what is measured. */
final class Team implements AutoCloseable {

    private final ExecutorService threads;

    Team(int size) {
        threads = Executors.newFixedThreadPool(size);
    }

    /** Runs jobs at the same time, each on a thread of its own, until all have ended. */
    void together(List<Callable<Void>> jobs) throws InterruptedException {
        for (Future<Void> job : threads.invokeAll(jobs)) {
            try {
                job.get();
            } catch (ExecutionException e) {
                throw new CommandFailedException("A thread of the benchmark failed", e);
            }
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
