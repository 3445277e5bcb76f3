package io.lanequeue.model.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;

import io.lanequeue.model.View;
import io.lanequeue.schema.EventId;
import java.util.HashMap;
import java.util.Map;
import org.jooq.DSLContext;

/** A second look, at the heads that a call leaves, for what its answer does not tell. */
final class Heads {

    private Heads() {}

    /**
     * The event that the head of each lane names. Only at READ COMMITTED: above it the call has seen but its snapshot,
     * so there is nothing to ask, and at SERIALIZABLE the look would make transactions conflict.
     */
    static Map<Long, EventId> after(DSLContext dsl, View<OutboxModel> view) {
        Map<Long, EventId> heads = new HashMap<>();
        if (!view.isReadCommitted()) {
            return heads;
        }
        dsl.select(DISPATCH_OUTBOX_USER_HEADS.TARGET_USER_ID, DISPATCH_OUTBOX_USER_HEADS.HEAD_ID)
                .from(DISPATCH_OUTBOX_USER_HEADS)
                .forEach(row -> heads.put(row.value1().value(), row.value2()));
        return heads;
    }
}
