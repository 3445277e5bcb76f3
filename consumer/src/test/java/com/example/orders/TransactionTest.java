package com.example.orders;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.schema.RepoId;
import io.lanequeue.schema.TargetUserId;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Order, event and effect exist exactly if the transaction of the service commits, whoever manages it. */
class TransactionTest {

    private static final DataSource DATABASE = OrdersServer.migratedDatabase();

    private final DSLContext outside = TransactionManager.contextOn(DATABASE);
    private final OrderBook book = new OrderBook();

    @ParameterizedTest
    @EnumSource
    void orderEventAndEffectExistWhenTheTransactionHasCommitted(TransactionManager manager) {
        var order = new Order(new TargetUserId(10 + manager.ordinal()), 1, "lamp of " + manager);

        manager.run(DATABASE, transaction -> {
            book.place(transaction, order);
            assertThat(eventsOf(order)).as("before the commit").isEmpty();
        });

        assertThat(eventsOf(order)).containsExactly(1);
        assertThat(effectsOf(order)).isOne();
    }

    @ParameterizedTest
    @EnumSource
    void nothingExistsWhenTheTransactionWasRolledBack(TransactionManager manager) {
        var order = new Order(new TargetUserId(20 + manager.ordinal()), 1, "chair of " + manager);

        assertThatThrownBy(() -> manager.run(DATABASE, transaction -> placeAndFail(transaction, order)))
                .hasMessage("out of stock");

        assertThat(eventsOf(order)).isEmpty();
        assertThat(effectsOf(order)).isZero();
    }

    /** The test of the test: it would see what was not rolled back. */
    @Test
    void withoutATransactionEverythingExistsThoughTheServiceFails() {
        var order = new Order(new TargetUserId(30), 1, "table");

        assertThatThrownBy(() -> placeAndFail(outside, order)).hasMessage("out of stock");

        assertThat(eventsOf(order)).containsExactly(1);
        assertThat(effectsOf(order)).isOne();
    }

    private void placeAndFail(DSLContext transaction, Order order) {
        book.place(transaction, order);
        throw new IllegalStateException("out of stock");
    }

    private List<Integer> eventsOf(Order order) {
        return book.untold(outside).stream()
                .filter(untold -> untold.customer().equals(order.customer()))
                .map(OrderBook.Untold::number)
                .toList();
    }

    private int effectsOf(Order order) {
        return outside.fetchCount(EFFECT_QUEUE, EFFECT_QUEUE.REPO_ID.eq(new RepoId(order.article())));
    }
}
