package io.lanequeue.testing;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.exception.DataAccessException;

/**
 * A database with a backlog, of which the planner can be let know this or that. One per backlog, size and shape and
 * JVM: who uses it leaves its rows as they were.
 */
public final class BacklogDatabase {

    private record Key(Class<? extends Backlog> backlog, int size, Shape shape) {}

    private static final int LARGE = 1_000;

    private static final String ABORTED = "25P02";

    private static final Map<Key, BacklogDatabase> DATABASES = new HashMap<>();

    private final QueueDatabase database = QueueDatabase.create(Wiring.STANDARD);
    private final int size;
    private final List<String> tables;
    private final Map<String, Long> rows = new TreeMap<>();
    private final Set<String> changed = new TreeSet<>();
    private Statistics statistics;

    private BacklogDatabase(Backlog backlog, int size, Shape shape) {
        this.size = size;
        this.tables = backlog.tables();
        try (Session session = database.open()) {
            DSLContext dsl = session.dsl();
            tables.forEach(table -> dsl.execute("alter table lanequeue." + table + " set (autovacuum_enabled = off)"));
            dsl.execute("set session_replication_role = replica");
            backlog.fill(dsl, size, shape);
            for (Statistics past : Statistics.ofThePast()) {
                dsl.execute("create schema " + past.schema());
                tables.forEach(table -> dsl.execute("create table " + past.schema() + "." + table + " (like lanequeue."
                        + table + ") with (autovacuum_enabled = off)"));
                backlog.fillPast(dsl, past, size, shape);
            }
            tables.forEach(table -> rows.put(
                    table,
                    dsl.fetchSingle("select count(*) from lanequeue." + table).get(0, long.class)));
            know(dsl, Statistics.FRESH);
            statistics = Statistics.FRESH;
        }
    }

    /** The database with this backlog. */
    public static synchronized BacklogDatabase of(Backlog backlog, int size, Shape shape) {
        return DATABASES.computeIfAbsent(
                new Key(backlog.getClass(), size, shape), key -> new BacklogDatabase(backlog, size, shape));
    }

    /** How many lanes or repositories have a backlog. */
    int size() {
        return size;
    }

    /** The tables of more than a few pages. A smaller one is rightly read as a whole. */
    List<String> largeTables() {
        return tables.stream().filter(table -> rowsOf(table) >= LARGE).toList();
    }

    long rowsOf(String table) {
        return rows.getOrDefault(table, 0L);
    }

    /** A transaction at READ COMMITTED in which the planner knows this; it is rolled back when it is closed. */
    public Trial begin(Statistics known) {
        if (statistics != known) {
            try (Session session = database.open()) {
                know(session.dsl(), known);
                statistics = known;
            }
        }
        return new Trial(this, database.begin(Isolation.READ_COMMITTED));
    }

    private void know(DSLContext dsl, Statistics known) {
        tables.forEach(table -> vacuum(dsl, table));
        known.establish(dsl, tables);
    }

    /** Rolls the session's transaction back, and remembers what that leaves dead. */
    void rollBack(Session session) {
        try {
            changed.addAll(Touched.changedBy(session));
        } catch (DataAccessException e) {
            if (!ABORTED.equals(e.sqlState())) {
                throw e;
            }
            // The server does not tell what a transaction changed that has failed.
            changed.addAll(tables);
        } finally {
            session.rollback();
        }
    }

    /** Takes away what was rolled back, so that it is not counted as touched. What the planner knows stays. */
    public void tidy() {
        try (Session session = database.open()) {
            for (String table : changed) {
                Record known = session.dsl()
                        .fetchSingle(
                                "select reltuples, relpages from pg_class where oid = ?::regclass", qualified(table));
                vacuum(session.dsl(), table);
                session.dsl()
                        .execute(
                                "update pg_class set reltuples = ?, relpages = ? where oid = ?::regclass",
                                known.get(0),
                                known.get(1),
                                qualified(table));
            }
        }
        changed.clear();
    }

    private static void vacuum(DSLContext dsl, String table) {
        dsl.execute("vacuum (index_cleanup on) " + qualified(table));
    }

    private static String qualified(String table) {
        return "lanequeue." + table;
    }

    public void closeSessions() {
        database.closeSessions();
    }
}
