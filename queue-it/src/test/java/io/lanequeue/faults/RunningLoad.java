package io.lanequeue.faults;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** A load at work: some producers and consumers, each with a thread and a client of its own. */
final class RunningLoad implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Progress progress = new Progress();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> tasks = new ArrayList<>();

    private RunningLoad() {}

    static RunningLoad start(Load load, int producers, int consumers, Supplier<Client> clients) {
        var running = new RunningLoad();
        for (int i = 0; i < producers; i++) {
            int number = i;
            running.start(clients, client -> load.produce(client, number, running.progress));
        }
        for (int i = 0; i < consumers; i++) {
            int number = i;
            running.start(clients, client -> load.consume(client, number, running.progress));
        }
        return running;
    }

    private void start(Supplier<Client> clients, Task task) {
        tasks.add(threads.submit(() -> {
            try (Client client = clients.get()) {
                task.run(client);
            }
        }));
    }

    /** Looks again and again until so many more have been handled. */
    void lookUntilHandled(int number, Runnable look) {
        Instant deadline = Instant.now().plus(PATIENCE);
        while (!progress.hasHandled(number)) {
            if (Instant.now().isAfter(deadline)) {
                throw new AssertionError("Not handled in time: " + number + " more; " + tasks);
            }
            look.run();
        }
    }

    /** Stops the producers, and returns when all is consumed. */
    void finish() throws InterruptedException, ExecutionException, TimeoutException {
        progress.stopProducing();
        for (Future<?> task : tasks) {
            task.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** Ends the threads, also where they have not finished. */
    @Override
    public void close() {
        progress.stopProducing();
        threads.shutdownNow();
    }

    private interface Task {
        void run(Client client);
    }
}
