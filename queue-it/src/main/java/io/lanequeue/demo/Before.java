package io.lanequeue.demo;

import static io.lanequeue.demo.DemoTables.LINES;
import static io.lanequeue.demo.DemoTables.LINE_EVENT;
import static io.lanequeue.demo.DemoTables.LINE_RUN;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;

import org.jooq.DSLContext;

/**
 * What earlier processes did of a run.
 *
 * @param appended the events that they appended
 * @param delivered those of them that are out of the outbox
 */
record Before(int appended, int delivered) {

    static Before of(DSLContext dsl, Run run) {
        int appended = dsl.fetchCount(LINES, LINE_RUN.eq(run.id()));
        int waiting = dsl.fetchCount(
                LINES.leftSemiJoin(DISPATCH_OUTBOX).on(DISPATCH_OUTBOX.ID.eq(LINE_EVENT)), LINE_RUN.eq(run.id()));
        return new Before(appended, appended - waiting);
    }
}
