package io.lanequeue.testing;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_DEAD_LETTERS;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;

import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.Table;
import org.jooq.TableField;

/** Every row of both queues, as a context sees them. */
public record QueueContents(List<Result<?>> tables) {

    public static QueueContents of(DSLContext dsl) {
        return new QueueContents(List.of(
                rows(dsl, DISPATCH_OUTBOX, DISPATCH_OUTBOX.ID),
                rows(dsl, DISPATCH_OUTBOX_USER_HEADS, DISPATCH_OUTBOX_USER_HEADS.TARGET_USER_ID),
                rows(dsl, DISPATCH_OUTBOX_DEAD_LETTERS, DISPATCH_OUTBOX_DEAD_LETTERS.ID),
                rows(dsl, EFFECT_QUEUE, EFFECT_QUEUE.ID),
                rows(dsl, EFFECT_QUEUE_REPO_HEADS, EFFECT_QUEUE_REPO_HEADS.REPO_ID)));
    }

    private static <R extends Record> Result<R> rows(DSLContext dsl, Table<R> table, TableField<R, ?> key) {
        return dsl.selectFrom(table).orderBy(key).fetch();
    }
}
