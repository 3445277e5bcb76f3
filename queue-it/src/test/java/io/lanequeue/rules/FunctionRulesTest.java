package io.lanequeue.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.QueueFixture;
import io.lanequeue.testing.Session;
import org.jooq.Name;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every function of the schema does the same whoever calls it; one that does not is found. */
class FunctionRulesTest extends QueueFixture {

    @Test
    void noFunctionDependsOnItsCaller() {
        assertThat(FunctionRules.functions(dsl, db.schema())).hasSizeGreaterThan(10);
        assertThat(FunctionRules.findings(dsl, db.schema())).isEmpty();
    }

    /** The optional one, in a database of its own: in the common one its trigger would notify for all tests. */
    @Test
    void noFunctionOfTheNotificationsDependsOnItsCallerEither() {
        QueueDatabase notifying = QueueDatabase.create(wiring);
        notifying.schema().migrateNotifications(notifying.dataSource());
        try (Session session = notifying.open()) {
            assertThat(FunctionRules.functions(session.dsl(), notifying.schema()))
                    .extracting(FunctionRules.Function::name)
                    .contains("notify_workers");
            assertThat(FunctionRules.findings(session.dsl(), notifying.schema()))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    set search_path = pg_catalog, pg_temp | exists (select from effect_queue)  | does not qualify effect_queue
                    set search_path = public              | 1 = 2                              | finds on the caller's path: =
                    set enable_seqscan = off              | now() is null                      | finds on the caller's path: now(
                    """)
    void aFunctionThatDependsOnItsCallerIsFound(String setting, String returned, String finding) {
        Session session = db.begin(Isolation.READ_COMMITTED);
        session.dsl().execute(create(setting, returned), planted());
        session.dsl().execute("revoke execute on function {0}() from public", planted());

        assertThat(FunctionRules.findings(session.dsl(), db.schema())).containsExactly("planted " + finding);
    }

    @Test
    void aFunctionThatEverybodyMayCallIsFound() {
        Session session = db.begin(Isolation.READ_COMMITTED);
        session.dsl().execute(create("set search_path = pg_catalog, pg_temp", "true"), planted());

        assertThat(FunctionRules.findings(session.dsl(), db.schema()))
                .containsExactly("planted may be called by everybody");
    }

    private Name planted() {
        return DSL.name(db.schema().name(), "planted");
    }

    private static String create(String setting, String returned) {
        return "create function {0}() returns boolean language plpgsql " + setting + " as $$ begin return " + returned
                + "; end $$";
    }
}
