package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.CallAgainException;
import io.lanequeue.ConnectionLostException;
import io.lanequeue.ReadOnlyDatabaseException;
import io.lanequeue.SchemaNotMigratedException;
import io.lanequeue.StatementFailedException;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.LanequeueSchema;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.sql.SQLException;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the database refuses arrives as an exception of the library, by SQLSTATE. */
class DatabaseErrorTest extends OutboxFixture {

    @ParameterizedTest
    @EnumSource
    void saysThatTheSchemaIsMissing(Operation operation) {
        var call = operation.prepare(dsl);
        DSLContext elsewhere = DSL.using(
                db.open().connection(),
                SQLDialect.POSTGRES,
                LanequeueSchema.named("elsewhere").settings());

        assertThatThrownBy(() -> call.apply(elsewhere))
                .isInstanceOf(SchemaNotMigratedException.class)
                .hasMessageContaining("LanequeueSchema.migrate")
                .hasMessageContaining("settings()")
                .hasMessageContaining("elsewhere")
                .hasCauseInstanceOf(DataAccessException.class);
    }

    @ParameterizedTest
    @EnumSource
    void saysThatTheTransactionHasFailedBefore(Operation operation) {
        var call = operation.prepare(dsl);
        Session session = db.begin(Isolation.READ_COMMITTED);
        assertThatThrownBy(() -> session.dsl().execute("select 1 / 0")).isInstanceOf(DataAccessException.class);

        assertThatTheStatementFails("25P02", () -> call.apply(session.dsl()));
    }

    @Test
    void aChangedHeadAboveReadCommittedIsToBeCalledAgain() {
        EventId event = append(dsl, 1, 1);
        Session old = db.begin(Isolation.SERIALIZABLE).snapshot();
        claimOne(dsl, 1);

        assertThatThrownBy(() -> new OutboxOperator().deleteHead(old.dsl(), lane(1), event, "test"))
                .isInstanceOfSatisfying(
                        CallAgainException.class, e -> assertThat(e.sqlState()).isEqualTo("40001"))
                .hasMessageContaining("nothing happened. Roll back and call again.");
    }

    @Test
    void saysThatTheStatementWasCancelled() {
        append(dsl, 1, 1);
        LeasedLane leased = claimOne(dsl, 1);
        Session holding = db.begin(Isolation.READ_COMMITTED);
        consumer.extend(holding.dsl(), List.of(leased.lease()), LEASE);
        Session waiting = db.open();

        var call = waiting.start(context -> consumer.finish(context, List.of(LaneOutcome.completed(leased))))
                .awaitWaiting();
        dsl.fetch("select pg_cancel_backend(?)", waiting.pid());

        assertThatTheStatementFails("57014", call::get);
        holding.rollback();
        assertThat(consumer.finish(waiting.dsl(), List.of(LaneOutcome.completed(leased))))
                .extracting(LaneReport::status)
                .containsExactly(LaneReport.Status.FINISHED);
    }

    @Test
    void saysThatALockWasWaitedForTooLong() {
        append(dsl, 1, 1);
        LeasedLane leased = claimOne(dsl, 1);
        Session holding = db.begin(Isolation.READ_COMMITTED);
        consumer.extend(holding.dsl(), List.of(leased.lease()), LEASE);
        DSLContext impatient = db.open().dsl();
        impatient.execute("set lock_timeout = '1ms'");

        assertThatTheStatementFails("55P03", () -> consumer.finish(impatient, List.of(LaneOutcome.completed(leased))));
    }

    @Test
    void saysThatTheConnectionWasLost() {
        Session lost = db.open();
        dsl.fetch("select pg_terminate_backend(?)", lost.pid());

        assertThatTheConnectionIsLost(List.of("57P01", "08006"), () -> claim(lost.dsl(), 1, 1));
    }

    @Test
    void saysThatTheServerEndedATransactionThatWasIdleForTooLong() {
        Session idle = db.begin(Isolation.READ_COMMITTED);
        idle.dsl().execute("set idle_in_transaction_session_timeout = '1ms'");
        idle.awaitEnd();

        assertThatTheConnectionIsLost(List.of("25P03"), () -> append(idle.dsl(), 1, 1));
    }

    @Test
    void saysThatTheConnectionIsClosed() throws SQLException {
        Session closed = db.open();
        closed.connection().close();

        assertThatTheConnectionIsLost(List.of("08003"), () -> append(closed.dsl(), 1, 1));
    }

    @Test
    void saysThatTheTransactionIsReadOnly() {
        DSLContext readOnly = db.open().dsl();
        readOnly.execute("set default_transaction_read_only = on");

        assertThatThrownBy(() -> append(readOnly, 1, 1))
                .isInstanceOf(ReadOnlyDatabaseException.class)
                .hasMessageContaining("Nothing happened; call on a connection to the primary server.")
                .hasMessageContaining("INSERT")
                .hasCauseInstanceOf(DataAccessException.class);
    }

    private static void assertThatTheConnectionIsLost(
            List<String> sqlStates, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ConnectionLostException.class,
                        e -> assertThat(e.sqlState()).isIn(sqlStates))
                .hasMessageContaining("Call again on a new connection.")
                .hasCauseInstanceOf(DataAccessException.class);
    }

    private static void assertThatTheStatementFails(
            String sqlState, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StatementFailedException.class,
                        e -> assertThat(e.sqlState()).isEqualTo(sqlState))
                .hasMessageStartingWith("The statement failed (SQLSTATE " + sqlState + "); nothing happened.")
                .hasCauseInstanceOf(DataAccessException.class);
    }
}
