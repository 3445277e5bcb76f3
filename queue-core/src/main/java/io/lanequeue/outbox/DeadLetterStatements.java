package io.lanequeue.outbox;

import static io.lanequeue.internal.PgSql.interval;
import static io.lanequeue.internal.PgSql.looksUp;
import static io.lanequeue.internal.PgSql.statementTimestamp;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_DEAD_LETTERS;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.insertInto;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;

import io.lanequeue.internal.ArrayRows;
import io.lanequeue.internal.PgSql;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.schema.jooq.tables.DispatchOutbox;
import io.lanequeue.schema.jooq.tables.DispatchOutboxDeadLetters;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Record2;
import org.jooq.Records;
import org.jooq.ResultQuery;

/** The statements of {@link OutboxOperator} about dead letters. */
final class DeadLetterStatements {

    private static final DispatchOutbox E = DISPATCH_OUTBOX;
    private static final DispatchOutboxDeadLetters D = DISPATCH_OUTBOX_DEAD_LETTERS;
    private static final DispatchOutboxDeadLetters OLDEST = D.as("oldest");
    private static final DispatchOutboxDeadLetters LETTER = D.as("letter");

    private DeadLetterStatements() {}

    static List<DeadLetter> list(DSLContext dsl, DeadLetterQuery query) {
        TargetUserId lane = query.lane();
        EventId after = query.after();
        // The second condition is always true. It is the predicate of the index of lanes, so that this index is not for
        // looks by id: believing the table empty the planner would walk all of it for them.
        Condition ofLane = lane == null
                ? noCondition()
                : D.TARGET_USER_ID
                        .between(lane, lane)
                        .and(D.TARGET_USER_ID.ge(inline(new TargetUserId(0), D.TARGET_USER_ID)));
        return dsl.select(
                        D.ID,
                        D.TARGET_USER_ID,
                        D.PTS,
                        D.EVENT_TYPE,
                        D.PAYLOAD,
                        D.CREATED_AT,
                        D.ATTEMPTS,
                        D.LAST_ERROR,
                        D.REASON,
                        D.DISCARDED_AT)
                .from(D)
                .where(ofLane)
                .and(after == null ? noCondition() : D.ID.gt(after))
                .orderBy(lane == null ? List.of(D.ID) : List.of(D.TARGET_USER_ID, D.ID))
                .limit(PgSql.limit(query.limit()))
                .fetch(Records.mapping(
                        (id, user, pts, type, payload, createdAt, attempts, error, reason, discardedAt) ->
                                new DeadLetter(
                                        new Event(id, user, pts, type, payload, createdAt),
                                        attempts,
                                        error,
                                        reason,
                                        discardedAt)));
    }

    static Map<EventId, EventId> redrive(DSLContext dsl, Collection<EventId> deadLetters) {
        Record2<EventId[], EventId[]> ids = redriveQuery(dsl, deadLetters).fetchSingle();
        Map<EventId, EventId> newIds = new LinkedHashMap<>();
        for (int i = 0; i < ids.value1().length; i++) {
            newIds.put(ids.value1()[i], ids.value2()[i]);
        }
        return newIds;
    }

    /** The ids of the dead letters and of the new events, both ascending: the events are inserted in that order. */
    private static ResultQuery<Record2<EventId[], EventId[]>> redriveQuery(
            DSLContext dsl, Collection<EventId> deadLetters) {
        var given = new ArrayRows("given");
        Field<EventId> givenId = given.column("id", D.ID.getDataType(), List.copyOf(deadLetters));
        var asked = select(givenId).from(given.table()).orderBy(givenId).asTable("asked");
        // A look for each: for many at once PostgreSQL before 17 may read the whole table.
        var letter = lateral(select(LETTER.ID)
                .from(LETTER)
                .where(LETTER.ID.eq(asked.field(givenId)))
                .limit(inline(1))
                .forUpdate()
                .asTable("dead_letter"));
        var taken = name("taken")
                .asMaterialized(select(letter.field(LETTER.ID)).from(asked).crossJoin(letter));
        var removed = name("removed")
                .as(deleteFrom(D)
                        .using(taken)
                        .where(looksUp(D.ID, taken, taken.field(LETTER.ID)))
                        .returningResult(D.ID, D.TARGET_USER_ID, D.PTS, D.EVENT_TYPE, D.PAYLOAD));
        var appended = name("appended")
                .as(insertInto(E, E.TARGET_USER_ID, E.PTS, E.EVENT_TYPE, E.PAYLOAD)
                        .select(select(
                                        removed.field(D.TARGET_USER_ID),
                                        removed.field(D.PTS),
                                        removed.field(D.EVENT_TYPE),
                                        removed.field(D.PAYLOAD))
                                .from(removed)
                                .orderBy(removed.field(D.ID)))
                        .returningResult(E.ID));
        return dsl.with(taken)
                .with(removed)
                .with(appended)
                .select(
                        array(select(removed.field(D.ID)).from(removed).orderBy(removed.field(D.ID))),
                        array(select(appended.field(E.ID)).from(appended).orderBy(appended.field(E.ID))));
    }

    static Query purge(DSLContext dsl, Duration olderThan, int limit) {
        return dsl.deleteFrom(D)
                .where(D.rowid()
                        .eq(any(array(select(OLDEST.rowid())
                                .from(OLDEST)
                                .where(OLDEST.DISCARDED_AT.le(
                                        field(select(PgSql.before(statementTimestamp(), interval(olderThan))))))
                                .orderBy(OLDEST.DISCARDED_AT)
                                .limit(PgSql.limit(limit))
                                .forUpdate()
                                .skipLocked()))));
    }
}
