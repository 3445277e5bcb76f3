package io.lanequeue.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each call happens in the caller's transaction and nowhere else; the sessions' transaction provider refuses to begin
 * one. A subclass names its calls in a static method {@code calls}.
 */
public abstract class CallerTransactionContract extends QueueFixture {

    @ParameterizedTest
    @MethodSource("calls")
    void leavesCommitAndRollbackToTheCaller(QueueCall operation) throws SQLException {
        Function<DSLContext, Object> call = operation.prepare(dsl);
        QueueContents before = QueueContents.of(dsl);
        Session session = db.begin(Isolation.READ_COMMITTED);

        call.apply(session.dsl());
        QueueContents inside = QueueContents.of(session.dsl());
        assertThat(QueueContents.of(dsl))
                .as("before the commit others see nothing")
                .isEqualTo(before);
        session.rollback();
        assertThat(QueueContents.of(dsl)).as("nothing remains of a rollback").isEqualTo(before);

        call.apply(session.dsl());
        assertThat(QueueContents.of(dsl))
                .as("before the commit others see nothing")
                .isEqualTo(before);
        session.commit();
        if (operation.isReadOnly()) {
            assertThat(inside).isEqualTo(before);
            assertThat(QueueContents.of(dsl)).isEqualTo(before);
        } else {
            assertThat(inside).as("the caller sees it at once").isNotEqualTo(before);
            assertThat(QueueContents.of(dsl)).as("a commit keeps it").isNotEqualTo(before);
        }
        assertThat(session.connection().getAutoCommit()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void staysInTheTransactionThatTheCallerBegan(QueueCall operation) {
        Function<DSLContext, Object> call = operation.prepare(dsl);
        Session session = db.begin(Isolation.READ_COMMITTED);
        long transaction = transactionOf(session);

        call.apply(session.dsl());

        assertThat(transactionOf(session)).isEqualTo(transaction);
    }

    @ParameterizedTest
    @MethodSource("calls")
    void happensAtOnceInAutocommit(QueueCall operation) {
        Function<DSLContext, Object> call = operation.prepare(dsl);
        QueueContents before = QueueContents.of(dsl);

        call.apply(db.open().dsl());

        assertThat(QueueContents.of(dsl).equals(before)).isEqualTo(operation.isReadOnly());
    }

    @ParameterizedTest
    @MethodSource("calls")
    void leavesTheSettingsOfTheSessionAsTheyWere(QueueCall operation) throws SQLException {
        Function<DSLContext, Object> call = operation.prepare(dsl);
        Session session = db.begin(Isolation.READ_COMMITTED);
        session.dsl().execute("set timezone = 'Australia/Eucla'");
        session.dsl().execute("set search_path = somewhere, pg_catalog");
        session.dsl().execute("set enable_hashjoin = off");
        session.dsl().execute("do $$ begin end $$"); // what loads plpgsql first adds its settings to the list
        Map<String, String> before = settings(session);

        call.apply(session.dsl());

        assertThat(settings(session)).isEqualTo(before);
        assertThat(session.connection().getTransactionIsolation())
                .isEqualTo(java.sql.Connection.TRANSACTION_READ_COMMITTED);
        assertThat(session.connection().isReadOnly()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void leavesTheConfigurationOfTheCallerAsItWas(QueueCall operation) {
        Function<DSLContext, Object> call = operation.prepare(dsl);
        Configuration configuration = db.open().dsl().configuration();
        var settings = configuration.settings().clone();
        var providers = providers(configuration);
        Map<?, ?> data = Map.copyOf(configuration.data());

        call.apply(configuration.dsl());

        assertThat(configuration.settings()).isEqualTo(settings);
        assertThat(providers(configuration)).isEqualTo(providers);
        assertThat(configuration.data()).isEqualTo(data);
    }

    private static List<?> providers(Configuration configuration) {
        return List.of(
                configuration.connectionProvider(),
                configuration.transactionProvider(),
                configuration.dialect(),
                List.of(configuration.executeListenerProviders()));
    }

    private static Map<String, String> settings(Session session) {
        return session.dsl()
                .fetch("select name, coalesce(setting, '') as setting from pg_settings"
                        + " union all select 'current_user', current_user")
                .intoMap(row -> row.get("name", String.class), row -> row.get("setting", String.class));
    }

    /** Assigned once per transaction, so it shows a commit or a rollback in between. */
    private static long transactionOf(Session session) {
        return session.dsl().fetchSingle("select txid_current()").get(0, long.class);
    }
}
