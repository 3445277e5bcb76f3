package com.example.orders;

import static com.example.orders.db.Tables.ORDERS;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;

import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.Records;

/**
 * Takes orders. The customer is told of each, and each article is fetched from the store, if the transaction commits.
 */
final class OrderBook {

    private final OutboxProducer events = new OutboxProducer();
    private final EffectProducer effects = new EffectProducer();

    void place(DSLContext transaction, Order order) {
        transaction
                .insertInto(ORDERS, ORDERS.CUSTOMER_ID, ORDERS.NUMBER, ORDERS.ARTICLE)
                .values(order.customer(), order.number(), order.article())
                .execute();
        events.append(
                transaction,
                new NewEvent(
                        order.customer(),
                        order.number(),
                        "order.placed",
                        JSONB.valueOf("{\"order\": " + order.number() + "}")));
        effects.enqueue(transaction, NewEffect.of(order.article(), order.customer() + "/" + order.number()));
    }

    /** An order of which its customer has not been told, with how often the customer's first message was tried. */
    record Untold(TargetUserId customer, int number, String article, EventId event, int attempts) {}

    /** The orders of which their customers have not been told, in the order in which they will be. */
    List<Untold> untold(DSLContext dsl) {
        return dsl.select(
                        ORDERS.CUSTOMER_ID,
                        ORDERS.NUMBER,
                        ORDERS.ARTICLE,
                        DISPATCH_OUTBOX.ID,
                        DISPATCH_OUTBOX_USER_HEADS.ATTEMPTS)
                .from(ORDERS)
                .join(DISPATCH_OUTBOX)
                .on(DISPATCH_OUTBOX.TARGET_USER_ID.eq(ORDERS.CUSTOMER_ID))
                .and(DISPATCH_OUTBOX.PTS.eq(ORDERS.NUMBER))
                .join(DISPATCH_OUTBOX_USER_HEADS)
                .on(DISPATCH_OUTBOX_USER_HEADS.TARGET_USER_ID.eq(ORDERS.CUSTOMER_ID))
                .orderBy(ORDERS.CUSTOMER_ID, ORDERS.NUMBER)
                .fetch(Records.mapping(Untold::new));
    }
}
