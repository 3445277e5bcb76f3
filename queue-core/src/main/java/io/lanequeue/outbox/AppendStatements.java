package io.lanequeue.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static org.jooq.impl.DSL.select;

import io.lanequeue.internal.ArrayRows;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record1;
import org.jooq.ResultQuery;

/** The statements of {@link OutboxProducer}. */
final class AppendStatements {

    private AppendStatements() {}

    static ResultQuery<Record1<EventId>> one(DSLContext dsl, NewEvent event) {
        return dsl.insertInto(
                        DISPATCH_OUTBOX,
                        DISPATCH_OUTBOX.TARGET_USER_ID,
                        DISPATCH_OUTBOX.PTS,
                        DISPATCH_OUTBOX.EVENT_TYPE,
                        DISPATCH_OUTBOX.PAYLOAD)
                .values(event.targetUserId(), event.pts(), event.eventType(), event.payload())
                .returningResult(DISPATCH_OUTBOX.ID);
    }

    static ResultQuery<Record1<EventId>> many(DSLContext dsl, List<NewEvent> events) {
        var rows = new ArrayRows("n");
        Field<TargetUserId> targetUserId = rows.column(
                "target_user_id",
                DISPATCH_OUTBOX.TARGET_USER_ID.getDataType(),
                events.stream().map(NewEvent::targetUserId).toList());
        Field<Integer> pts = rows.column(
                "pts",
                DISPATCH_OUTBOX.PTS.getDataType(),
                events.stream().map(NewEvent::pts).toList());
        Field<String> eventType = rows.column(
                "event_type",
                DISPATCH_OUTBOX.EVENT_TYPE.getDataType(),
                events.stream().map(NewEvent::eventType).toList());
        Field<JSONB> payload = rows.column(
                "payload",
                DISPATCH_OUTBOX.PAYLOAD.getDataType(),
                events.stream().map(NewEvent::payload).toList());

        return dsl.insertInto(
                        DISPATCH_OUTBOX,
                        DISPATCH_OUTBOX.TARGET_USER_ID,
                        DISPATCH_OUTBOX.PTS,
                        DISPATCH_OUTBOX.EVENT_TYPE,
                        DISPATCH_OUTBOX.PAYLOAD)
                .select(select(targetUserId, pts, eventType, payload)
                        .from(rows.table())
                        // With it the ids are given in the order of the list: PostgreSQL numbers after sorting.
                        .orderBy(rows.position()))
                .returningResult(DISPATCH_OUTBOX.ID);
    }
}
