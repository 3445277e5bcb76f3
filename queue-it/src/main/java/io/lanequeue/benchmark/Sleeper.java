package io.lanequeue.benchmark;

import io.lanequeue.benchmark.baseline.Payload;
import io.lanequeue.command.CommandFailedException;
import io.lanequeue.command.Crew;
import io.lanequeue.command.Session;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.LogicalShards;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.worker.OutboxWorker;
import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A worker that has nothing to do, and who appends an event for it now and then. */
final class Sleeper implements Round, AutoCloseable {

    private static final int PATIENCE_SECONDS = 30;

    private final OutboxProducer producer = new OutboxProducer();
    private final ExecutorService handlers = Executors.newSingleThreadExecutor(Crew::daemon);
    private final BlockingQueue<Long> starts = new ArrayBlockingQueue<>(1);
    private final Session appending;
    private final KeptConnection working;
    private final OutboxWorker worker;
    private final Consumer<OutboxWorker> afterCommit;
    private final int lane;
    private int pts;

    /**
     * @param number of this one among those of the database, which share the lanes
     * @param sleepers how many there are
     * @param options what the worker is told beside its share
     * @param afterCommit what the application does after each commit
     */
    Sleeper(
            ScratchDatabase database,
            int number,
            int sleepers,
            UnaryOperator<OutboxWorker.Builder> options,
            Consumer<OutboxWorker> afterCommit)
            throws SQLException {
        this.appending = database.connect();
        this.working = new KeptConnection(database.connection());
        this.afterCommit = afterCommit;
        // The lane of that number is in the share of that number.
        this.lane = number;
        ClaimRequest request = ClaimRequest.by("benchmark-" + number).withShards(LogicalShards.share(number, sleepers));
        this.worker = options.apply(OutboxWorker.on(working.dsl(), request))
                .start(handlers, (event, attempt) -> starts.add(System.nanoTime()));
    }

    /** From the commit of an append to the start of its handler. */
    @Override
    public long nanos() throws InterruptedException {
        pts++;
        producer.append(appending.dsl(), NewEvent.of(lane, pts, OutboxBacklog.EVENT_TYPE, Payload.of(pts)));
        long committed = System.nanoTime();
        afterCommit.accept(worker);
        @Nullable Long started = starts.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (started == null) {
            throw new CommandFailedException("An event was not handled");
        }
        // The worker may see the commit before the producer hears of it.
        return Math.max(1, started - committed);
    }

    @Override
    public void close() {
        worker.close();
        handlers.shutdown();
        working.close();
        appending.close();
    }
}
