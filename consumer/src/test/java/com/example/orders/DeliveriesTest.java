package com.example.orders;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.worker.StopReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Both workers run in the service until they are stopped. */
class DeliveriesTest {

    private static final int ORDERS = 10;
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(10);
    private static final List<TargetUserId> CUSTOMERS =
            List.of(new TargetUserId(1), new TargetUserId(2), new TargetUserId(3));

    private final DataSource database = OrdersServer.migratedDatabase();
    private final DSLContext dsl = TransactionManager.contextOn(database);
    private final OrderBook book = new OrderBook();
    private final Map<TargetUserId, List<Integer>> told = new ConcurrentHashMap<>();
    private final Set<Boolean> virtual = ConcurrentHashMap.newKeySet();
    private ExecutorService threads;

    @BeforeEach
    void openThreads() throws ReflectiveOperationException {
        threads = HandlerThreads.open();
    }

    @AfterEach
    void closeThreads() {
        threads.shutdownNow();
    }

    @Test
    void tellsEachCustomerOfEachOrderInOrderAndFetchesEachArticle() throws InterruptedException {
        CUSTOMERS.forEach(this::placeOrders);
        var fetched = ConcurrentHashMap.<String>newKeySet();
        var open = new CountDownLatch(2 * CUSTOMERS.size() * ORDERS);

        Deliveries deliveries = Deliveries.start(
                database,
                threads,
                (event, attempt) -> {
                    tell(event.targetUserId(), event.pts());
                    open.countDown();
                },
                (effect, attempt) -> {
                    fetched.add(effect.payload());
                    open.countDown();
                });
        assertThat(open.await(30, SECONDS)).isTrue();
        List<StopReport> reports = deliveries.stop(DEADLINE);

        assertThat(reports).allMatch(StopReport::isClean);
        assertThat(told)
                .containsOnlyKeys(CUSTOMERS)
                .allSatisfy((customer, numbers) -> assertThat(numbers).isEqualTo(numbers()));
        assertThat(fetched).containsExactlyInAnyOrderElementsOf(allOrders());
        assertThat(virtual).containsExactly(HandlerThreads.areVirtual());
        assertThat(book.untold(dsl)).isEmpty();
        assertThat(dsl.fetchCount(EFFECT_QUEUE, EFFECT_QUEUE.STATE.ne(EffectState.DONE)))
                .isZero();
    }

    /**
     * Stopped while a message is on its way: that one ends, and the others are as if nobody had claimed them, also the
     * one that may begin before the order to stop arrives.
     */
    @Test
    void whatWasNotToldWhenItStopsIsToldByTheNextOne() throws InterruptedException {
        TargetUserId customer = CUSTOMERS.get(0);
        placeOrders(customer);
        var firstBegun = new CountDownLatch(1);
        var firstMayEnd = new CountDownLatch(1);
        Deliveries stopped = Deliveries.start(
                database,
                threads,
                (event, attempt) -> {
                    if (event.pts() > 1) {
                        awaitInterruption();
                    }
                    firstBegun.countDown();
                    firstMayEnd.await();
                    tell(event.targetUserId(), event.pts());
                },
                (effect, attempt) -> {});
        assertThat(firstBegun.await(30, SECONDS)).isTrue();
        CompletableFuture<List<StopReport>> reports = CompletableFuture.supplyAsync(() -> stopped.stop(SHORT));
        firstMayEnd.countDown();

        assertThat(reports.join()).allMatch(StopReport::isClean);
        assertThat(told.get(customer)).containsExactly(1);
        assertThat(book.untold(dsl))
                .extracting(OrderBook.Untold::number)
                .isEqualTo(numbers().subList(1, ORDERS));

        var rest = new CountDownLatch(ORDERS - 1);
        Deliveries next = Deliveries.start(
                database,
                threads,
                (event, attempt) -> {
                    tell(event.targetUserId(), event.pts());
                    rest.countDown();
                },
                (effect, attempt) -> {});
        assertThat(rest.await(30, SECONDS)).isTrue();
        next.stop(DEADLINE);

        assertThat(told.get(customer)).isEqualTo(numbers());
    }

    private static void awaitInterruption() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    private void placeOrders(TargetUserId customer) {
        numbers().forEach(number -> book.place(dsl, new Order(customer, number, "lamp")));
    }

    private void tell(TargetUserId customer, int number) {
        virtual.add(Thread.currentThread().getClass().getSimpleName().contains("Virtual"));
        told.computeIfAbsent(customer, unknown -> new ArrayList<>()).add(number);
    }

    private static List<Integer> numbers() {
        return IntStream.rangeClosed(1, ORDERS).boxed().toList();
    }

    private static List<String> allOrders() {
        return CUSTOMERS.stream()
                .flatMap(customer -> numbers().stream().map(number -> customer + "/" + number))
                .toList();
    }
}
