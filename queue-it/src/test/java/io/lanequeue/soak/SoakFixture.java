package io.lanequeue.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Wiring;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Empty books and an empty queue, without the rest of a soak. */
abstract class SoakFixture {

    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);
    private final CountDownLatch stop = new CountDownLatch(1);

    protected Books books;
    protected Client client;

    /** The test's own connection, in autocommit. */
    protected DSLContext dsl;

    @BeforeEach
    void begin() {
        books = Books.open(new PrintWriter(Writer.nullWriter()));
        client = new Client(() -> db.open().connection());
        dsl = client.dsl();
    }

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    WorkerHabits workerHabits() {
        return new WorkerHabits("worker", new Orders(), new Random(1), stop);
    }

    /** These losses are in the books, each so often, and no other. */
    void assertLosses(Loss... expected) {
        assertThat(Stream.of(Loss.values())
                        .flatMap(loss ->
                                Stream.generate(() -> loss).limit(books.losses().of(loss))))
                .containsExactly(expected);
    }

    /** Does something while a trigger is off. */
    void withoutTrigger(String table, String trigger, Runnable what) {
        dsl.execute("alter table lanequeue." + table + " disable trigger " + trigger);
        try {
            what.run();
        } finally {
            dsl.execute("alter table lanequeue." + table + " enable trigger " + trigger);
        }
    }
}
