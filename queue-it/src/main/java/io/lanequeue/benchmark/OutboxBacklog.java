package io.lanequeue.benchmark;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.generateSeries;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.jsonbObject;
import static org.jooq.impl.DSL.key;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;

import io.lanequeue.benchmark.baseline.Payload;
import io.lanequeue.command.Session;
import io.lanequeue.schema.TargetUserId;
import java.sql.SQLException;
import java.time.Instant;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/** Puts events into the outbox, by the million. */
final class OutboxBacklog {

    static final String EVENT_TYPE = "benchmark";

    private static final Field<Integer> NUMBER = field(name("n"), SQLDataType.INTEGER);

    private OutboxBacklog() {}

    /**
     * Adds events to the lanes from {@code first} on, one to each in turn. The payload of an event has its number
     * within the lane.
     */
    static void fill(ScratchDatabase database, int first, int lanes, int perLane) throws SQLException {
        Field<Integer> pts = NUMBER.div(lanes);
        try (Session session = database.connect()) {
            session.dsl()
                    .insertInto(
                            DISPATCH_OUTBOX,
                            DISPATCH_OUTBOX.TARGET_USER_ID,
                            DISPATCH_OUTBOX.PTS,
                            DISPATCH_OUTBOX.EVENT_TYPE,
                            DISPATCH_OUTBOX.PAYLOAD)
                    .select(select(
                                    NUMBER.mod(lanes).plus(first).coerce(DISPATCH_OUTBOX.TARGET_USER_ID),
                                    pts,
                                    inline(EVENT_TYPE),
                                    jsonbObject(
                                            key("n").value(pts), key("text").value("x".repeat(Payload.TEXT_LENGTH))))
                            .from(generateSeries(0, lanes * perLane - 1).as("g", "n")))
                    .execute();
        }
    }

    /** The next claim takes this lane first: once served, a lane goes to the back. */
    static void moveToFront(Session session, TargetUserId lane) {
        session.dsl()
                .update(DISPATCH_OUTBOX_USER_HEADS)
                .set(DISPATCH_OUTBOX_USER_HEADS.AVAILABLE_AT, Instant.EPOCH)
                .where(DISPATCH_OUTBOX_USER_HEADS.TARGET_USER_ID.eq(lane))
                .execute();
    }
}
