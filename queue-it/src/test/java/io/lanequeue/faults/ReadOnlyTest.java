package io.lanequeue.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.ReadOnlyDatabaseException;
import io.lanequeue.devdb.DurablePostgres;
import io.lanequeue.testing.QueueCall;
import io.lanequeue.testing.QueueContents;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Wiring;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A server that takes no changes: a hot standby, and a primary whose sessions are read only. */
class ReadOnlyTest {

    private static final AtomicInteger REFUSED = new AtomicInteger();

    @AutoClose
    private static DurablePostgres primary;

    @AutoClose
    private static DurablePostgres standby;

    private static QueueDatabase db;

    private DSLContext dsl;

    @BeforeAll
    static void startPrimaryAndStandby(@TempDir Path first, @TempDir Path second) {
        // A commit is answered when the standby shows it.
        primary = DurablePostgres.create(first, "synchronous_standby_names=*", "synchronous_commit=remote_apply");
        standby = primary.standby(second);
        primary.start();
        standby.start();
        db = QueueDatabase.createIn(primary.dataSource(), Wiring.STANDARD);
    }

    @AfterAll
    static void tellHowMany() {
        System.out.println("Read only: " + REFUSED + " changes refused, by a standby or to a read-only session");
    }

    @BeforeEach
    void openSession() {
        dsl = db.open().dsl();
    }

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @ParameterizedTest
    @MethodSource(EveryCall.CHANGES)
    void aStandbyRefusesAChangeAndSaysWhatToDo(QueueCall operation) {
        Function<DSLContext, Object> call = operation.prepare(dsl);

        assertRefused(call, db.openBy(standby.dataSource()).dsl());
    }

    @ParameterizedTest
    @MethodSource(EveryCall.LOOKS)
    void aStandbyAnswersALookAsThePrimaryDoes(QueueCall operation) {
        Function<DSLContext, Object> call = operation.prepare(dsl);

        assertThat(call.apply(db.openBy(standby.dataSource()).dsl()))
                .usingRecursiveComparison()
                .ignoringFieldsOfTypes(Duration.class)
                .isEqualTo(call.apply(dsl));
    }

    @ParameterizedTest
    @MethodSource(EveryCall.CHANGES)
    void aReadOnlySessionRefusesAChangeAndSaysWhatToDo(QueueCall operation) {
        Function<DSLContext, Object> call = operation.prepare(dsl);

        assertRefused(call, readOnlySession());
    }

    @ParameterizedTest
    @MethodSource(EveryCall.LOOKS)
    void aReadOnlySessionAnswersALook(QueueCall operation) {
        Function<DSLContext, Object> call = operation.prepare(dsl);

        assertThat(call.apply(readOnlySession())).isNotNull();
    }

    private static DSLContext readOnlySession() {
        DSLContext readOnly = db.open().dsl();
        readOnly.execute("set default_transaction_read_only = on");
        return readOnly;
    }

    private void assertRefused(Function<DSLContext, Object> call, DSLContext readOnly) {
        QueueContents before = QueueContents.of(dsl);

        assertThatThrownBy(() -> call.apply(readOnly))
                .isInstanceOf(ReadOnlyDatabaseException.class)
                .hasMessageContaining("Nothing happened; call on a connection to the primary server.");
        assertThat(QueueContents.of(dsl)).isEqualTo(before);
        REFUSED.incrementAndGet();
    }
}
