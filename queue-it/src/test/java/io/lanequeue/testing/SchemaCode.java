package io.lanequeue.testing;

import java.sql.Statement;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jooq.DSLContext;

/** The functions and triggers of the migrated schema, from which protections can be taken out and put back. */
public final class SchemaCode {

    private static final String FUNCTIONS =
            "select pg_get_functiondef(oid) from pg_proc where pronamespace = 'lanequeue'::regnamespace";
    private static final String TRIGGERS =
            "select replace(pg_get_triggerdef(oid), 'CREATE TRIGGER', 'CREATE OR REPLACE TRIGGER') from pg_trigger"
                    + " where not tgisinternal";

    private final DSLContext dsl;
    private final List<String> original;

    public SchemaCode(DSLContext dsl) {
        this.dsl = dsl;
        this.original = Stream.of(FUNCTIONS, TRIGGERS)
                .flatMap(query -> dsl.fetch(query).getValues(0, String.class).stream())
                .toList();
    }

    /** Replaces a part of a function, each time it stands there. */
    public void replace(String function, String part, String instead) {
        change(function, definition -> definition.replace(part, instead));
    }

    /** Changes the definition of a function. Fails if it has nothing of what was to be changed. */
    public void change(String function, UnaryOperator<String> change) {
        String definition = dsl.fetchSingle("select pg_get_functiondef(('lanequeue.' || ?)::regproc)", function)
                .get(0, String.class);
        String changed = change.apply(definition);
        if (changed.equals(definition)) {
            throw new IllegalStateException("There is nothing to change in " + definition);
        }
        run(changed);
    }

    /** Everything is again as it was migrated. */
    public void restore() {
        original.forEach(this::run);
    }

    /** Past jOOQ, which would take marks in the text for its own. */
    public void run(String sql) {
        dsl.connection(connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        });
    }
}
