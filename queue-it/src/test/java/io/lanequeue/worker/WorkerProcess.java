package io.lanequeue.worker;

import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.schema.LanequeueSchema;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A process with a worker for each queue, which writes down what it handles. After so many of each its handlers stand
 * still, until a line comes in; when its input ends it stops in order.
 */
final class WorkerProcess {

    static final int CAP = 3;
    static final Duration LEASE = Duration.ofSeconds(2);
    static final String EVENTS_STAND_STILL = "events stand still";
    static final String EFFECTS_STAND_STILL = "effects stand still";
    static final String WENT_ON = "went on";

    private final CountDownLatch goOn = new CountDownLatch(1);
    private final DSLContext dsl;
    private final String name;

    private WorkerProcess(DSLContext dsl, String name) {
        this.dsl = dsl;
        this.name = name;
    }

    public static void main(String[] arguments) throws IOException {
        var dataSource = new PGSimpleDataSource();
        dataSource.setUrl(arguments[0]);
        new WorkerProcess(DSL.using(dataSource, SQLDialect.POSTGRES), arguments[1])
                .work(dataSource, Integer.parseInt(arguments[2]));
    }

    private void work(PGSimpleDataSource dataSource, int before) throws IOException {
        ExecutorService threads = Executors.newCachedThreadPool();
        var events = new AtomicInteger(before);
        var effects = new AtomicInteger(before);
        OutboxWorker outbox = OutboxWorker.on(
                        dataSource,
                        LanequeueSchema.standard(),
                        ClaimRequest.by(name).withLanes(4).withEventsPerLane(3).withLease(LEASE))
                .withPollInterval(Duration.ofMillis(50))
                .start(threads, (event, attempt) -> {
                    standStillAfter(events, EVENTS_STAND_STILL);
                    note("events", event.targetUserId().toString(), event.pts());
                });
        EffectWorker queue = EffectWorker.on(
                        dataSource,
                        LanequeueSchema.standard(),
                        DispatchRequest.by(name).withLimit(4).withCap(CAP))
                .withPollInterval(Duration.ofMillis(50))
                .withStaleAfter(LEASE)
                .start(threads, (effect, attempt) -> {
                    standStillAfter(effects, EFFECTS_STAND_STILL);
                    note("effects", effect.repoId().value(), Integer.parseInt(effect.payload()));
                });
        try (var input = new BufferedReader(new InputStreamReader(System.in))) {
            while (input.readLine() != null) {
                goOn.countDown();
            }
        }
        System.out.println(outbox.stop(Duration.ofSeconds(20)));
        System.out.println(queue.stop(Duration.ofSeconds(20)));
        threads.shutdown();
    }

    private void standStillAfter(AtomicInteger left, String saying) {
        if (left.getAndDecrement() > 0) {
            return;
        }
        System.out.println(saying);
        // As a process that stands still: it does not hear an interruption either.
        boolean interrupted = false;
        while (true) {
            try {
                goOn.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void note(String kind, String lane, int place) {
        dsl.execute(
                "insert into public.handled (worker, kind, lane, place) values ({0}, {1}, {2}, {3})",
                DSL.val(name), DSL.val(kind), DSL.val(lane), DSL.val(place));
        if (goOn.getCount() == 0) {
            System.out.println(WENT_ON);
        }
    }
}
