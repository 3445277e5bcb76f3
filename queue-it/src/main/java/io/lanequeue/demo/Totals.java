package io.lanequeue.demo;

import static io.lanequeue.demo.DemoTables.DELIVERIES;
import static io.lanequeue.demo.DemoTables.DELIVERY_EVENT;
import static io.lanequeue.demo.DemoTables.DELIVERY_RUN;
import static io.lanequeue.demo.DemoTables.LINES;
import static io.lanequeue.demo.DemoTables.LINE_LANE;
import static io.lanequeue.demo.DemoTables.LINE_RUN;
import static io.lanequeue.demo.DemoTables.ofRuns;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.countDistinct;

import java.util.List;
import org.jooq.DSLContext;

/**
 * What runs amount to, by all processes that had a part in them.
 *
 * @param events the events that were appended
 * @param lanes their lanes
 * @param redeliveries deliveries of events that had been delivered before
 */
record Totals(int events, int lanes, int redeliveries) {

    static Totals of(DSLContext dsl, List<Long> runs) {
        var appended = dsl.select(count(), countDistinct(LINE_LANE))
                .from(LINES)
                .where(ofRuns(LINE_RUN, runs))
                .fetchSingle();
        int redeliveries = dsl.select(count().minus(countDistinct(DELIVERY_EVENT)))
                .from(DELIVERIES)
                .where(ofRuns(DELIVERY_RUN, runs))
                .fetchSingle()
                .value1();
        return new Totals(appended.value1(), appended.value2(), redeliveries);
    }
}
