package io.lanequeue.demo;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.val;

import java.io.PrintWriter;
import org.jooq.DSLContext;
import org.jooq.impl.SQLDataType;

/**
 * Lets one demo at a time run in a database. An advisory lock of the session: the database gives it free when the
 * process that holds it dies.
 */
final class RunLock {

    private static final long KEY = 0x6C616E65_64656D6FL; // "lanedemo"

    private RunLock() {}

    /** Takes the lock for as long as the session lives; waits while another process holds it. */
    static void take(DSLContext session, PrintWriter out) {
        boolean taken = session.fetchValue(function("pg_try_advisory_lock", SQLDataType.BOOLEAN, val(KEY)));
        if (!taken) {
            out.println("Another demo runs in this database; waiting until it ends.");
            session.fetchValue(function("pg_advisory_lock", SQLDataType.OTHER, val(KEY)));
        }
    }
}
