package io.lanequeue.demo;

import static io.lanequeue.demo.DemoTables.DELIVERIES;
import static io.lanequeue.demo.DemoTables.DELIVERY_EVENT;
import static io.lanequeue.demo.DemoTables.DELIVERY_RUN;
import static io.lanequeue.demo.DemoTables.DELIVERY_SEQ;
import static io.lanequeue.demo.DemoTables.LINES;
import static io.lanequeue.demo.DemoTables.LINE_EVENT;
import static io.lanequeue.demo.DemoTables.LINE_LANE;
import static io.lanequeue.demo.DemoTables.LINE_PTS;
import static io.lanequeue.demo.DemoTables.LINE_RUN;
import static io.lanequeue.demo.DemoTables.ofRuns;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.min;
import static org.jooq.impl.DSL.select;

import io.lanequeue.outbox.Disagreement;
import io.lanequeue.outbox.OutboxAudit;
import io.lanequeue.schema.EventId;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;

/**
 * The proof, from the tables: what was appended against what was delivered.
 *
 * @param undelivered events that were appended and never delivered
 * @param unknown deliveries of events that were not appended
 * @param outOfOrder events whose first delivery came after that of a later event of their lane
 * @param late events with a lower pts than one appended before them: they come next whenever they arrive, so an event
 *     that was delivered before they came is not held against the order. None where pts ascend in the file
 * @param left events that are still in the outbox
 * @param disagreements what {@link OutboxAudit} found
 */
record DeliveryCheck(
        int undelivered, int unknown, int outOfOrder, int late, int left, List<Disagreement> disagreements) {

    private static final int MAX_DISAGREEMENTS = 100;

    /** Checks all that was appended and delivered in some runs. */
    static DeliveryCheck of(DSLContext dsl, List<Long> runs) {
        int undelivered = dsl.fetchCount(
                LINES.leftAntiJoin(DELIVERIES).on(DELIVERY_EVENT.eq(LINE_EVENT)).and(ofRuns(DELIVERY_RUN, runs)),
                ofRuns(LINE_RUN, runs));
        int unknown = dsl.fetchCount(
                DELIVERIES.leftAntiJoin(LINES).on(LINE_EVENT.eq(DELIVERY_EVENT)).and(ofRuns(LINE_RUN, runs)),
                ofRuns(DELIVERY_RUN, runs));
        var order = Order.of(dsl, runs);
        return new DeliveryCheck(
                undelivered,
                unknown,
                order.outOfOrder(),
                order.late(),
                dsl.fetchCount(DISPATCH_OUTBOX),
                new OutboxAudit().disagreements(dsl, MAX_DISAGREEMENTS));
    }

    /** Whether nothing was lost, every lane kept its order, and the outbox is empty and sound. */
    boolean holds() {
        return undelivered == 0 && unknown == 0 && outOfOrder == 0 && left == 0 && disagreements.isEmpty();
    }

    private record Order(int outOfOrder, int late) {

        /**
         * One pass over the first deliveries of each lane. Ids ascend as the events were appended, so among the events
         * that are not late the order by {@code (pts, id)} is the order by id: none may come after a higher id. Nor may
         * a late event come after an event that is not late and was appended after it.
         */
        static Order of(DSLContext dsl, List<Long> runs) {
            Field<Boolean> isLate = field(coalesce(
                                    max(LINE_PTS)
                                            .over()
                                            .partitionBy(LINE_LANE)
                                            .orderBy(LINE_EVENT)
                                            .rowsBetweenUnboundedPreceding()
                                            .andPreceding(1),
                                    inline(0))
                            .gt(LINE_PTS))
                    .as("late");
            var appended = select(LINE_LANE, LINE_EVENT, isLate)
                    .from(LINES)
                    .where(ofRuns(LINE_RUN, runs))
                    .asTable("appended");
            Field<Long> seq = min(DELIVERY_SEQ).as("seq");
            var first = select(DELIVERY_EVENT, seq)
                    .from(DELIVERIES)
                    .where(ofRuns(DELIVERY_RUN, runs))
                    .groupBy(DELIVERY_EVENT)
                    .asTable("first");
            Field<EventId> event = appended.field(LINE_EVENT);
            Field<Boolean> late = appended.field(isLate);
            Field<EventId> highestBefore = max(event)
                    .filterWhere(condition(late).not())
                    .over()
                    .partitionBy(appended.field(LINE_LANE))
                    .orderBy(first.field(seq))
                    .rowsBetweenUnboundedPreceding()
                    .andPreceding(1)
                    .as("highest_before");
            var delivered = select(event, late, highestBefore)
                    .from(appended)
                    .join(first)
                    .on(first.field(DELIVERY_EVENT).eq(event))
                    .asTable("delivered");
            return new Order(
                    dsl.fetchCount(delivered, delivered.field(highestBefore).gt(delivered.field(event))),
                    dsl.fetchCount(appended, condition(late)));
        }
    }
}
