package io.lanequeue.worker;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.outbox.LogicalShards;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.worker.Witness.Happening;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a worker of the outbox delivers, and what it records of failures. */
class OutboxDeliveryTest extends OutboxWorkerFixture {

    private final Queue<Integer> delivered = new ConcurrentLinkedQueue<>();

    @Test
    void deliversEveryEventOnceAndInOrderOnFourThreads() {
        int users = 20;
        int eventsEach = 30;
        IntStream.range(0, users).forEach(user -> append(user, eventsEach));
        Queue<long[]> handled = new ConcurrentLinkedQueue<>();
        Set<TargetUserId> inHand = ConcurrentHashMap.newKeySet();
        Queue<TargetUserId> twiceAtOnce = new ConcurrentLinkedQueue<>();

        run(worker(request()), (event, attempt) -> {
            if (!inHand.add(event.targetUserId())) {
                twiceAtOnce.add(event.targetUserId());
            }
            handled.add(new long[] {event.targetUserId().value(), event.pts()});
            inHand.remove(event.targetUserId());
        });
        witness.await(Happening.DELIVERED, users * eventsEach);

        Map<Long, List<Long>> ofEachUser =
                handled.stream().collect(groupingBy(event -> event[0], mapping(event -> event[1], toList())));
        List<Long> inOrder =
                IntStream.rangeClosed(1, eventsEach).mapToObj(Long::valueOf).toList();
        assertThat(ofEachUser)
                .hasSize(users)
                .allSatisfy((user, order) -> assertThat(order).isEqualTo(inOrder));
        assertThat(twiceAtOnce).isEmpty();
        assertThat(dsl.fetchCount(DISPATCH_OUTBOX)).isZero();
    }

    @Test
    void recordsWhatWasDeliveredBeforeTheEventThatFailed() {
        append(1, 3);

        start((event, attempt) -> {
            if (event.pts() == 2) {
                throw new IllegalStateException("no such address");
            }
            delivered.add(event.pts());
        });
        witness.await(Happening.FAILED, 1);

        assertThat(delivered).containsExactly(1);
        assertThat(waiting(1)).containsExactly(2, 3);
        assertThat(head(1).getHeadPts()).isEqualTo(2);
        assertThat(head(1).getLeaseId()).isNull();
        assertThat(head(1).getAttempts()).isEqualTo(1);
        assertThat(head(1).getLastError()).contains("no such address");
        assertThat(witness.count(Happening.DELIVERED)).isEqualTo(1);
    }

    @Test
    void triesAFailedEventAgainAndGoesOnBehindIt() {
        append(1, 3);
        Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
        Queue<String> lastErrors = new ConcurrentLinkedQueue<>();
        var quick = RetryPolicy.standard().withBackoff(Duration.ofMillis(1), Duration.ofMillis(1));

        run(worker(request()).withRetryPolicy(quick), (event, attempt) -> {
            if (event.pts() == 2) {
                attempts.add(attempt.number());
                lastErrors.add(String.valueOf(attempt.lastError()));
                if (attempt.number() < 3) {
                    throw new IllegalStateException("attempt " + attempt.number());
                }
            }
            delivered.add(event.pts());
        });
        witness.await(Happening.DELIVERED, 3);

        assertThat(delivered).containsExactly(1, 2, 3);
        assertThat(attempts).containsExactly(1, 2, 3);
        assertThat(lastErrors)
                .containsExactly(
                        "null",
                        "java.lang.IllegalStateException: attempt 1",
                        "java.lang.IllegalStateException: attempt 2");
        assertThat(dsl.fetchCount(DISPATCH_OUTBOX_USER_HEADS)).isZero();
    }

    @Test
    void blocksTheLaneAfterTheLastAttempt() {
        append(1, 2);
        var twice = RetryPolicy.standard().withMaxAttempts(2).withBackoff(Duration.ofMillis(1), Duration.ofMillis(1));

        run(worker(request()).withRetryPolicy(twice), (event, attempt) -> {
            throw new AssertionError("poison"); // an Error is a failure as any other
        });
        witness.await(Happening.GAVE_UP, 1);

        assertThat(witness.count(Happening.FAILED)).isEqualTo(1);
        assertThat(waiting(1)).containsExactly(1, 2);
        assertThat(head(1).getAvailableAt()).isEqualTo(Instant.MAX);
        assertThat(head(1).getLastError()).contains("poison");
    }

    @Test
    void blocksTheLaneAtOnceWhenTheHandlerSaysNeverAgain() {
        append(1, 2);

        start((event, attempt) -> {
            throw new NeverAgainException("user is gone");
        });
        witness.await(Happening.GAVE_UP, 1);

        assertThat(head(1).getAvailableAt()).isEqualTo(Instant.MAX);
        assertThat(head(1).getLastError()).contains("user is gone");
    }

    @Test
    void recordsAFailureThatCannotSayWhatItIs() {
        append(1, 1);
        append(2, 1);
        append(3, 1);

        start(worker(request()).withRetryPolicy(RetryPolicy.standard().withMaxAttempts(1)), (event, attempt) -> {
            switch ((int) event.targetUserId().value()) {
                case 1 ->
                    throw new Wordless(() -> {
                        throw new StackOverflowError("by the test");
                    });
                case 2 ->
                    throw new Wordless(() -> {
                        throw new IllegalStateException("by the test");
                    });
                default -> throw new Wordless(() -> null);
            }
        });
        witness.await(Happening.GAVE_UP, 3);
        timing.awaitWaiting();

        assertThat(witness.count(Happening.WENT_AWAY)).isZero();
        assertThat(List.of(head(1), head(2), head(3)))
                .allSatisfy(head -> assertThat(head.getLastError()).isEqualTo(Wordless.class.getName()));
    }

    @Test
    void waitsAsLongAsTheHandlerAsks() {
        append(1, 1);
        Instant before = now();

        start((event, attempt) -> {
            throw new RetryAfterException(Duration.ofHours(5), "closed until noon");
        });
        witness.await(Happening.FAILED, 1);

        assertThat(head(1).getAvailableAt())
                .isBetween(before.plus(Duration.ofHours(5)), now().plus(Duration.ofHours(5)));
    }

    /** Its workers died or hung, so nobody counted the attempts but the claims. */
    @Test
    void blocksAnEventThatWasHandedOutTooOftenWithoutTryingItAgain() {
        append(1, 1);
        dsl.update(DISPATCH_OUTBOX_USER_HEADS)
                .set(DISPATCH_OUTBOX_USER_HEADS.ATTEMPTS, 2)
                .execute();
        var twice = RetryPolicy.standard().withMaxAttempts(2);

        start(worker(request()).withRetryPolicy(twice), (event, attempt) -> delivered.add(event.pts()));
        witness.await(Happening.GAVE_UP, 1);

        assertThat(delivered).isEmpty();
        assertThat(head(1).getAvailableAt()).isEqualTo(Instant.MAX);
        assertThat(head(1).getLastError()).contains("2 times");
    }

    @Test
    void neverHasMoreLanesInHandThanItWasTold() {
        IntStream.range(0, 10).forEach(user -> append(user, 1));
        var door = new Latch();
        var twoAtWork = new Latch(2);
        var atWork = new AtomicInteger();
        var mostAtWork = new AtomicInteger();

        start(worker(request().withLanes(2)), (event, attempt) -> {
            mostAtWork.accumulateAndGet(atWork.incrementAndGet(), Math::max);
            twoAtWork.open();
            door.pass();
            atWork.decrementAndGet();
        });
        twoAtWork.passWhateverComes();
        timing.awaitWaiting();

        assertThat(leasedLanes()).isEqualTo(2);
        door.open();
        witness.await(Happening.DELIVERED, 10);
        assertThat(mostAtWork).hasValue(2);
    }

    @Test
    void claimsOnlyLanesOfItsShards() {
        append(7, 1);
        append(8, 1);
        append(256 + 8, 1);

        start(worker(request().withShards(LogicalShards.of(8))), (event, attempt) -> {});
        witness.await(Happening.DELIVERED, 2);
        timing.awaitWaiting();

        assertThat(waiting(7)).containsExactly(1);
        assertThat(dsl.fetchCount(DISPATCH_OUTBOX)).isEqualTo(1);
    }

    @Test
    void goesOnWhateverItsListenerThrows() {
        append(1, 1);
        append(2, 1);
        var toldOfBoth = new Latch(2);

        start(
                worker(request()).withEvents(new WorkerEvents() {
                    @Override
                    public void claimed(int count) {
                        throw new AssertionError("by the test, on the worker's thread");
                    }

                    @Override
                    public void handled(Duration time) {
                        throw new AssertionError("by the test, on the handler's thread");
                    }

                    @Override
                    public void delivered(int count) {
                        toldOfBoth.open();
                        throw new IllegalStateException("by the test");
                    }
                }),
                (event, attempt) -> delivered.add(event.pts()));
        toldOfBoth.passWhateverComes();

        assertThat(delivered).containsExactly(1, 1);
        assertThat(dsl.fetchCount(DISPATCH_OUTBOX)).isZero();
    }

    @Test
    void findsWhatIsAppendedWhileItIsIdleWhenItIsWoken() {
        OutboxWorker worker = start((event, attempt) -> delivered.add(event.pts()));
        timing.awaitWaiting();
        append(1, 1);

        worker.wake();
        witness.await(Happening.DELIVERED, 1);

        assertThat(delivered).containsExactly(1);
    }

    /** A failure that does not print as it should. */
    private static final class Wordless extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Supplier<@Nullable String> words;

        Wordless(Supplier<@Nullable String> words) {
            this.words = words;
        }

        @Override
        @SuppressWarnings("NullAway") // that is what is wrong with it
        public String toString() {
            return words.get();
        }
    }
}
