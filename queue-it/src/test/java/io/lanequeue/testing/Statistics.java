package io.lanequeue.testing;

import java.util.List;
import java.util.Locale;
import org.jooq.DSLContext;

/** What the planner knows of the tables of a backlog. */
public enum Statistics {
    FRESH,

    /** Taken when there was a hundredth of the lanes or repositories, and none of them deep. */
    OF_A_HUNDREDTH,

    /** Taken when there was as much of others, in other states. */
    OF_OTHERS,

    /** As of a queue that was vacuumed and analyzed when it was drained, just before a burst. */
    DRAINED,

    NONE;

    /** Those that were taken of other rows; each has a schema of its name for these. */
    static List<Statistics> ofThePast() {
        return List.of(OF_A_HUNDREDTH, OF_OTHERS);
    }

    String schema() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** From now on the planner knows this of the given tables, until they are vacuumed or analyzed. */
    void establish(DSLContext dsl, List<String> tables) {
        for (String name : tables) {
            String table = "lanequeue." + name;
            switch (this) {
                case FRESH -> dsl.execute("analyze " + table);
                case OF_A_HUNDREDTH, OF_OTHERS -> establish(dsl, table, schema() + "." + name);
                case DRAINED -> forget(dsl, table, 0, 1_000);
                case NONE -> forget(dsl, table, -1, 0);
            }
        }
    }

    private static void establish(DSLContext dsl, String table, String past) {
        dsl.execute("analyze " + past);
        dsl.execute("delete from pg_statistic where starelid = ?::regclass", table);
        dsl.execute("update pg_statistic set starelid = ?::regclass where starelid = ?::regclass", table, past);
        dsl.execute(
                "update pg_class now set reltuples = past.reltuples, relpages = past.relpages from pg_class past"
                        + " where now.oid = ?::regclass and past.oid = ?::regclass",
                table,
                past);
    }

    private static void forget(DSLContext dsl, String table, int rows, int pages) {
        dsl.execute("delete from pg_statistic where starelid = ?::regclass", table);
        dsl.execute("update pg_class set reltuples = ?, relpages = ? where oid = ?::regclass", rows, pages, table);
    }
}
