package io.lanequeue.interleavings;

import java.sql.Statement;
import org.jooq.DSLContext;

/** A function of the database without one of its protections. */
record Defect(String function, String protection, String instead) {

    /** Plants it; returns what takes it out again. */
    Runnable plant(DSLContext dsl) {
        String intact = dsl.fetchSingle("select pg_get_functiondef(?::regproc)", "lanequeue." + function)
                .get(0, String.class);
        if (!intact.contains(protection)) {
            throw new IllegalStateException(function + " has no " + protection);
        }
        replace(dsl, intact.replace(protection, instead));
        return () -> replace(dsl, intact);
    }

    /** Past jOOQ, which would take question marks of a body for its own. */
    private static void replace(DSLContext dsl, String definition) {
        dsl.connection(connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(definition);
            }
        });
    }
}
