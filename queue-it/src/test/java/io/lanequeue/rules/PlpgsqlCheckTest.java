package io.lanequeue.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.QueueFixture;
import io.lanequeue.testing.Session;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The extension plpgsql_check has nothing to say about the functions. It needs a server that has it. */
@Tag("tools")
class PlpgsqlCheckTest extends QueueFixture {

    /** Each function, with the table and the transition tables of its trigger. */
    private static final String CHECKED =
            "select p.oid::regprocedure as function, coalesce(t.tgrelid, 0)::regclass as relation,"
                    + " t.tgoldtable as old_table, t.tgnewtable as new_table"
                    + " from pg_proc p join pg_namespace n on n.oid = p.pronamespace"
                    + " left join pg_trigger t on t.tgfoid = p.oid where n.nspname = ?";

    @Test
    void findsNothing() {
        Session session = withExtension();

        assertThat(checkedFunctions(session.dsl())).hasSizeGreaterThan(10);
        assertThat(findings(session.dsl())).isEmpty();
    }

    @Test
    void findsAColumnThatDoesNotExist() {
        Session session = withExtension();
        session.dsl()
                .execute(
                        "create function {0}() returns void language plpgsql as"
                                + " $$ begin perform d.lane from {1} d; end $$",
                        DSL.name(db.schema().name(), "planted"),
                        DSL.name(db.schema().name(), "dispatch_outbox"));

        assertThat(findings(session.dsl()))
                .filteredOn(finding -> finding.contains("error"))
                .singleElement()
                .asString()
                .contains("planted", "column d.lane does not exist");
    }

    /** In a transaction that is never committed. */
    private Session withExtension() {
        Session session = db.begin(Isolation.READ_COMMITTED);
        session.dsl().execute("create extension plpgsql_check schema public");
        return session;
    }

    private List<String> findings(DSLContext context) {
        return context.fetch(
                        "select f.function || ' line ' || coalesce(c.lineno, 0) || ': ' || c.level || ', ' || c.message"
                                + " from (" + CHECKED + ") f, public.plpgsql_check_function_tb(f.function, f.relation,"
                                + " oldtable => f.old_table, newtable => f.new_table, fatal_errors => false,"
                                + " performance_warnings => true, security_warnings => true) c",
                        db.schema().name())
                .getValues(0, String.class);
    }

    private List<String> checkedFunctions(DSLContext context) {
        return context.fetch(CHECKED, db.schema().name()).getValues(0, String.class);
    }
}
