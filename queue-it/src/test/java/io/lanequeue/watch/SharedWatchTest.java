package io.lanequeue.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What several threads are told by one watch, and how often the database is asked; its answer is played here. */
class SharedWatchTest {

    private static final Duration KEPT = Duration.ofSeconds(15);

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch door = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newSingleThreadExecutor();

    @AfterEach
    void endThreads() {
        door.countDown();
        threads.shutdown();
    }

    @Test
    void whileOneThreadAsksTheOthersAreToldTheLastTotals() throws Exception {
        QueueWatch<Integer> watch = watch(dsl -> asked.get() == 1 ? 1 : slowly(2));
        assertThat(watch.totals()).contains(1);
        pass(KEPT);

        Future<?> asking = threads.submit(watch::totals);
        awaitBegun();
        assertThat(watch.totals()).contains(1);
        assertThat(asked).hasValue(2);

        door.countDown();
        asking.get();
        assertThat(watch.totals()).contains(2);
        assertThat(asked).hasValue(2);
    }

    @Test
    void theyAreToldNothingOnceTheLastTotalsAreTwiceAsOldAsTheyMayBe() throws Exception {
        QueueWatch<Integer> watch = watch(dsl -> asked.get() == 1 ? 1 : slowly(2));
        watch.totals();
        pass(KEPT);
        threads.submit(watch::totals);
        awaitBegun();

        pass(KEPT.minusNanos(1));
        assertThat(watch.totals()).contains(1);
        pass(Duration.ofNanos(1));
        assertThat(watch.totals()).isEmpty();
    }

    @Test
    void theyAreToldNothingBeforeTheFirstAnswer() throws Exception {
        QueueWatch<Integer> watch = watch(dsl -> slowly(1));
        threads.submit(watch::totals);
        awaitBegun();

        assertThat(watch.totals()).isEmpty();
        assertThat(watch.read().failure()).isEqualTo("The database has been asked and has not answered yet");
        assertThat(asked).hasValue(1);
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsAskedNoMoreOften() {
        QueueWatch<Integer> watch = watch(dsl -> {
            throw new IllegalStateException("no route");
        });

        assertThat(watch.totals()).isEmpty();
        assertThat(watch.totals()).isEmpty();
        assertThat(watch.read().failure()).isEqualTo("The totals cannot be read: no route");
        assertThat(asked).hasValue(1);
        pass(KEPT);
        assertThat(watch.totals()).isEmpty();
        assertThat(asked).hasValue(2);
    }

    @Test
    void tellsOfADatabaseThatIsBackWhenItIsAskedAgain() {
        QueueWatch<Integer> watch = watch(dsl -> {
            if (asked.get() == 1) {
                throw new IllegalStateException("no route");
            }
            return 7;
        });
        watch.totals();

        pass(KEPT);

        assertThat(watch.totals()).contains(7);
    }

    private QueueWatch<Integer> watch(Function<DSLContext, Integer> database) {
        return new QueueWatch<>(
                new DefaultConfiguration().set(SQLDialect.POSTGRES),
                dsl -> {
                    asked.incrementAndGet();
                    return database.apply(dsl);
                },
                KEPT,
                nanos::get);
    }

    private int slowly(int answer) {
        begun.countDown();
        pass(door);
        return answer;
    }

    private void awaitBegun() {
        pass(begun);
    }

    private static void pass(CountDownLatch door) {
        try {
            assertThat(door.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
