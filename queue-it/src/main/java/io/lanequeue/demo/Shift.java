package io.lanequeue.demo;

import io.lanequeue.command.Crew;
import io.lanequeue.command.Pace;
import io.lanequeue.command.Stopwatch;
import io.lanequeue.outbox.LaneTotals;
import io.lanequeue.outbox.OutboxOperator;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;

/** Producers and workers at work, from the first append until the outbox is empty. */
final class Shift {

    private static final long LOOK_MILLIS = 100;

    private final OutboxOperator operator = new OutboxOperator();
    private final Tally tally = new Tally();
    private final Stopwatch stopwatch = new Stopwatch();
    private final DemoDatabase database;
    private final OperatorDesk desk;
    private final Producers producers;
    private final Handler handler;
    private final int workers;
    private final Progress progress;

    Shift(
            DemoDatabase database,
            EventFile file,
            Run run,
            Before before,
            Fault fault,
            int producers,
            int workers,
            InvalidLines refused,
            PrintWriter out) {
        this.database = database;
        this.workers = workers;
        this.desk = new OperatorDesk(run, fault, out);
        this.producers = new Producers(database, file, new Producer(run, fault, tally, refused), producers);
        this.handler = new Handler(run, fault);
        this.progress = new Progress(out, before, tally, stopwatch);
    }

    /** Appends and delivers everything; the operator acts when nothing else is left to do. */
    ShiftReport work(DSLContext dsl) throws InterruptedException {
        try (var crew = new Crew()) {
            Future<?> append = crew.start(producers::appendFile);
            startWorkers(crew);
            Pace appended = awaitAppended(dsl, crew, append);
            LaneTotals left = awaitDrained(dsl, crew);
            Pace delivered = new Pace(tally.delivered().get(), stopwatch.elapsed());
            while (left.blocked() > 0) {
                progress.print(left);
                desk.releaseBlockedLanes(dsl);
                left = awaitDrained(dsl, crew);
            }
            progress.print(left);
            crew.finish();
            return new ShiftReport(appended, delivered, tally);
        }
    }

    /** The others begin when the one that dies holds its lanes, so that it does so however small the file is. */
    private void startWorkers(Crew crew) {
        var worker = new Worker(database, handler, tally, crew.stop());
        var dying = new CountDownLatch(1);
        crew.start(() -> worker.workAndDie("worker-that-dies", dying));
        for (int i = 1; i <= workers; i++) {
            String name = "worker-" + i;
            crew.start(() -> worker.work(name, dying));
        }
    }

    private Pace awaitAppended(DSLContext dsl, Crew crew, Future<?> append) throws InterruptedException {
        while (!append.isDone()) {
            look(dsl, crew);
        }
        crew.check();
        return new Pace(tally.appended().get(), stopwatch.elapsed());
    }

    /** Returns when no lane is left but blocked ones. */
    private LaneTotals awaitDrained(DSLContext dsl, Crew crew) throws InterruptedException {
        LaneTotals lanes = look(dsl, crew);
        while (lanes.ready() + lanes.leased() + lanes.backingOff() > 0) {
            lanes = look(dsl, crew);
        }
        return lanes;
    }

    private LaneTotals look(DSLContext dsl, Crew crew) throws InterruptedException {
        crew.stop().await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        crew.check();
        LaneTotals lanes = operator.totals(dsl);
        if (progress.isDue()) {
            progress.print(lanes);
        }
        return lanes;
    }
}
