package io.lanequeue.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_DEAD_LETTERS;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;

import io.lanequeue.testing.CallerTransactionContract;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.DSLContext;

class CallerTransactionTest extends CallerTransactionContract {

    static Stream<Operation> calls() {
        return Stream.of(Operation.values());
    }

    @Override
    protected List<?> contents(DSLContext context) {
        return Stream.of(
                        context.selectFrom(DISPATCH_OUTBOX)
                                .orderBy(DISPATCH_OUTBOX.ID)
                                .fetch(),
                        context.selectFrom(DISPATCH_OUTBOX_USER_HEADS)
                                .orderBy(DISPATCH_OUTBOX_USER_HEADS.TARGET_USER_ID)
                                .fetch(),
                        context.selectFrom(DISPATCH_OUTBOX_DEAD_LETTERS)
                                .orderBy(DISPATCH_OUTBOX_DEAD_LETTERS.ID)
                                .fetch())
                .toList();
    }
}
