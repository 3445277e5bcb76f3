package io.lanequeue.demo;

import static io.lanequeue.demo.DemoTables.LINE;
import static io.lanequeue.demo.DemoTables.LINES;
import static io.lanequeue.demo.DemoTables.LINE_EVENT;
import static io.lanequeue.demo.DemoTables.LINE_RUN;
import static io.lanequeue.demo.DemoTables.RUNS;
import static io.lanequeue.demo.DemoTables.RUN_CHECK_HELD;
import static io.lanequeue.demo.DemoTables.RUN_FILE_DIGEST;
import static io.lanequeue.demo.DemoTables.RUN_FILE_NAME;
import static io.lanequeue.demo.DemoTables.RUN_FINISHED_AT;
import static io.lanequeue.demo.DemoTables.RUN_ID;
import static io.lanequeue.demo.DemoTables.RUN_RELEASED;
import static io.lanequeue.demo.DemoTables.ofRuns;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static org.jooq.impl.DSL.currentOffsetDateTime;

import io.lanequeue.command.CommandFailedException;
import io.lanequeue.schema.EventId;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** The runs that this database has seen. */
final class Runs {

    private Runs() {}

    /** Goes on with the unfinished run of a file, or starts a new one. */
    static Run resumeOrStart(DSLContext dsl, EventFile file, String digest) {
        return dsl.select(RUN_ID, RUN_RELEASED)
                .from(RUNS)
                .where(RUN_FILE_DIGEST.eq(digest))
                .and(RUN_FINISHED_AT.isNull())
                .orderBy(RUN_ID.desc())
                .limit(1)
                .fetchOptional(found -> new Run(found.value1(), true, found.value2()))
                .orElseGet(() -> start(dsl, file, digest));
    }

    private static Run start(DSLContext dsl, EventFile file, String digest) {
        long id = dsl.insertInto(RUNS, RUN_FILE_NAME, RUN_FILE_DIGEST)
                .values(file.name(), digest)
                .returningResult(RUN_ID)
                .fetchSingle()
                .value1();
        return new Run(id, false, null);
    }

    /** The event that a line of the run has become; none where it has not been appended. */
    static Optional<EventId> eventOf(DSLContext dsl, Run run, int line) {
        return dsl.select(LINE_EVENT)
                .from(LINES)
                .where(LINE_RUN.eq(run.id()))
                .and(LINE.eq(line))
                .fetchOptional(LINE_EVENT);
    }

    /**
     * The runs that are not finished: the present one, and those that were killed and never taken up again. What is
     * left of those is delivered along with the present one, so they are checked with it.
     */
    static List<Long> unfinished(DSLContext dsl) {
        return dsl.select(RUN_ID)
                .from(RUNS)
                .where(RUN_FINISHED_AT.isNull())
                .orderBy(RUN_ID)
                .fetch(RUN_ID);
    }

    /** Keeps in the run, in words, which lane was released. */
    static void recordRelease(DSLContext dsl, Run run, String released) {
        dsl.update(RUNS).set(RUN_RELEASED, released).where(RUN_ID.eq(run.id())).execute();
    }

    /** The lane that was released in the run, in words, or null. */
    static @Nullable String released(DSLContext dsl, Run run) {
        return dsl.select(RUN_RELEASED)
                .from(RUNS)
                .where(RUN_ID.eq(run.id()))
                .fetchSingle()
                .value1();
    }

    /** Ends runs with the result of their check. */
    static void finish(DSLContext dsl, List<Long> runs, boolean checkHeld) {
        dsl.update(RUNS)
                .set(RUN_FINISHED_AT, currentOffsetDateTime())
                .set(RUN_CHECK_HELD, checkHeld)
                .where(ofRuns(RUN_ID, runs))
                .execute();
    }

    /** Refuses an outbox with events of others: the demo's workers would deliver them to nowhere. */
    static void refuseForeignEvents(DSLContext dsl) {
        int foreign = dsl.fetchCount(DISPATCH_OUTBOX.leftAntiJoin(LINES).on(LINE_EVENT.eq(DISPATCH_OUTBOX.ID)));
        if (foreign > 0) {
            throw new CommandFailedException(
                    "The outbox of this database holds " + foreign + " events that the demo did not"
                            + " append. It would take them away, so it does not start. Name another database.");
        }
    }
}
