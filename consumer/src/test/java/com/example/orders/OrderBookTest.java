package com.example.orders;

import static com.example.orders.db.Tables.ORDERS;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LaneOutcome;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.schema.TargetUserId;
import java.time.Duration;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;

/** Tables of the service join those of the queues, with types and without a word of SQL. */
class OrderBookTest {

    private static final TargetUserId ANNA = new TargetUserId(1);
    private static final TargetUserId BERT = new TargetUserId(2);

    private final DSLContext dsl = TransactionManager.contextOn(OrdersServer.migratedDatabase());
    private final OrderBook book = new OrderBook();
    private final OutboxConsumer consumer = new OutboxConsumer();

    @Test
    void ordersOfWhichNobodyWasToldStandBesideTheirEvents() {
        book.place(dsl, new Order(BERT, 1, "lamp"));
        book.place(dsl, new Order(ANNA, 1, "chair"));
        book.place(dsl, new Order(ANNA, 2, "table"));
        Claim claim = consumer.claim(dsl, ClaimRequest.by("orders").withLanes(2).withEventsPerLane(1));
        consumer.finish(dsl, claim.lanes().stream().map(this::outcome).toList());

        assertThat(book.untold(dsl))
                .extracting(
                        OrderBook.Untold::customer,
                        OrderBook.Untold::number,
                        OrderBook.Untold::article,
                        OrderBook.Untold::attempts)
                .containsExactly(tuple(ANNA, 1, "chair", 1), tuple(ANNA, 2, "table", 1));
    }

    /** Bert hears of his order, Anna does not answer. */
    private LaneOutcome outcome(LeasedLane lane) {
        Event first = lane.events().get(0);
        return first.targetUserId().equals(BERT)
                ? LaneOutcome.completed(lane)
                : LaneOutcome.retry(lane, first.id(), Duration.ofMinutes(1), "no answer");
    }

    @Test
    void theFirstWaitingEventOfALaneLeadsToItsOrder() {
        book.place(dsl, new Order(ANNA, 7, "lamp"));
        book.place(dsl, new Order(ANNA, 8, "chair"));

        assertThat(dsl.select(ORDERS.ARTICLE)
                        .from(ORDERS)
                        .join(DISPATCH_OUTBOX_USER_HEADS)
                        .on(DISPATCH_OUTBOX_USER_HEADS.TARGET_USER_ID.eq(ORDERS.CUSTOMER_ID))
                        .and(DISPATCH_OUTBOX_USER_HEADS.HEAD_PTS.eq(ORDERS.NUMBER))
                        .fetch(ORDERS.ARTICLE))
                .containsExactly("lamp");
    }
}
