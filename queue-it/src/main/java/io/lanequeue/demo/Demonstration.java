package io.lanequeue.demo;

import io.lanequeue.command.CommandFailedException;
import io.lanequeue.command.Session;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;

/** The demo from the migration to the check. */
final class Demonstration {

    private final DemoDatabase database;
    private final EventFile file;
    private final int producers;
    private final int workers;
    private final PrintWriter out;
    private final AtomicInteger invalidLines = new AtomicInteger();

    Demonstration(DemoDatabase database, EventFile file, int producers, int workers, PrintWriter out) {
        this.database = database;
        this.file = file;
        this.producers = producers;
        this.workers = workers;
        this.out = out;
    }

    /** Runs it; returns whether the check held. */
    boolean run() throws IOException, InterruptedException {
        try (Session session = database.connect()) {
            DSLContext dsl = session.dsl();
            RunLock.take(dsl, out);
            prepare(dsl);
            FileContents contents = inspect();
            Run run = Runs.resumeOrStart(dsl, file, contents.digest());
            Before before = Before.of(dsl, run);
            announce(run, before);
            Fault fault = faultOf(dsl, run, contents);
            var shift = new Shift(database, file, run, before, fault, producers, workers, this::reportInvalid, out);
            ShiftReport report = shift.work(dsl);
            return conclude(dsl, run, before, report);
        }
    }

    private void prepare(DSLContext dsl) {
        int migrations = database.migrate();
        DemoTables.create(dsl);
        Runs.refuseForeignEvents(dsl);
        out.println(DemoDatabase.inWords(dsl, migrations));
    }

    private FileContents inspect() throws IOException {
        out.println("Reading " + file.name());
        FileContents contents = FileContents.of(file, this::reportInvalid);
        if (contents.events() == 0) {
            throw new CommandFailedException("There is no valid event in " + file.name());
        }
        out.println(String.format(
                Locale.ROOT,
                "%,d events of %,d users; %,d invalid lines are skipped",
                contents.events(),
                contents.lanes(),
                invalidLines.get()));
        return contents;
    }

    private void reportInvalid(int line, String problem) {
        invalidLines.incrementAndGet();
        out.println("  line " + line + " is not valid: " + problem);
    }

    private void announce(Run run, Before before) {
        out.println(
                run.resumed()
                        ? String.format(
                                Locale.ROOT,
                                "Run %d goes on: an earlier process appended %,d events and delivered %,d of them.",
                                run.id(),
                                before.appended(),
                                before.delivered())
                        : "Run " + run.id() + " begins.");
    }

    /** The handler cannot deliver the event in the middle of the file, unless an earlier process has mended it. */
    private static Fault faultOf(DSLContext dsl, Run run, FileContents contents) {
        var fault = new Fault(contents.middleLine(), run.released() != null);
        Runs.eventOf(dsl, run, contents.middleLine()).ifPresent(event -> fault.appended(contents.middleLine(), event));
        return fault;
    }

    private boolean conclude(DSLContext dsl, Run run, Before before, ShiftReport report) {
        List<Long> runs = Runs.unfinished(dsl);
        DeliveryCheck check = DeliveryCheck.of(dsl, runs);
        Totals totals = Totals.of(dsl, runs);
        new Summary(out).print(runs, totals, invalidLines.get(), before, report, Runs.released(dsl, run), check);
        Runs.finish(dsl, runs, check.holds());
        return check.holds();
    }
}
