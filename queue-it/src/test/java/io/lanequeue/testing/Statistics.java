package io.lanequeue.testing;

import java.util.List;
import java.util.Locale;

/** What the planner may know of tables. */
public enum Statistics {
    FRESH,
    NONE,
    /** As of a queue that was vacuumed and analyzed when it was drained, just before a burst. */
    DRAINED;

    /** How a prepared statement is planned. */
    public enum PlanCache {
        FORCE_CUSTOM_PLAN,
        FORCE_GENERIC_PLAN
    }

    /** A transaction at READ COMMITTED in which the planner knows this of the given tables, and plans so. */
    public Session begin(QueueDatabase db, List<String> tables, PlanCache planCache) {
        try (Session session = db.open()) {
            for (String table : tables) {
                session.dsl().execute("analyze lanequeue." + table);
                if (this != FRESH) {
                    session.dsl()
                            .execute("delete from pg_statistic where starelid = 'lanequeue." + table + "'::regclass");
                    session.dsl()
                            .execute(
                                    "update pg_class set reltuples = ?, relpages = ? where oid = 'lanequeue." + table
                                            + "'::regclass",
                                    this == NONE ? -1 : 0,
                                    this == NONE ? 0 : 1_000);
                }
            }
        }
        Session session = db.begin(Isolation.READ_COMMITTED);
        session.dsl().execute("set local plan_cache_mode = " + planCache.name().toLowerCase(Locale.ROOT));
        return session;
    }
}
