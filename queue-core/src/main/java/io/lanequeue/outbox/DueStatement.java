package io.lanequeue.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.select;

import io.lanequeue.internal.ArrayRows;
import io.lanequeue.schema.jooq.tables.DispatchOutboxUserHeads;
import java.time.Instant;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record2;
import org.jooq.ResultQuery;

/** The statement of {@link OutboxConsumer#untilDue}. */
final class DueStatement {

    private static final DispatchOutboxUserHeads H = DISPATCH_OUTBOX_USER_HEADS;
    private static final DispatchOutboxUserHeads FIRST = H.as("first");

    private DueStatement() {}

    /**
     * When the first lane is available, and what time it is; no row where there is none. A blocked lane comes last.
     *
     * <p>A shard is a range of one, and blocked lanes are not sorted out here: believing few lanes to be there, the
     * planner would else walk all of them by the index that knows no shards.
     */
    static ResultQuery<Record2<Instant, Instant>> query(DSLContext dsl, Field<Instant> now, LogicalShards owned) {
        if (owned.areAll()) {
            return dsl.select(H.AVAILABLE_AT, now)
                    .from(H)
                    .orderBy(H.AVAILABLE_AT)
                    .limit(inline(1));
        }
        var shards = new ArrayRows("shard");
        Field<Short> shard = shards.column(
                "number",
                H.LOGICAL_SHARD.getDataType(),
                owned.numbers().stream().map(Integer::shortValue).toList());
        var first = lateral(select(FIRST.AVAILABLE_AT)
                .from(FIRST)
                .where(FIRST.LOGICAL_SHARD.between(shard, shard))
                .orderBy(FIRST.LOGICAL_SHARD, FIRST.AVAILABLE_AT)
                .limit(inline(1))
                .asTable("first_of_shard"));
        return dsl.select(first.field(FIRST.AVAILABLE_AT), now)
                .from(shards.table())
                .crossJoin(first)
                .orderBy(first.field(FIRST.AVAILABLE_AT))
                .limit(inline(1));
    }
}
