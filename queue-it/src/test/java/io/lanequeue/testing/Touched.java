package io.lanequeue.testing;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** What the present transaction touched of each table, its indexes and triggers included, as the server counts it. */
public record Touched(Map<String, Touches> tables) {

    /**
     * Of one table.
     *
     * @param scans how often it was read from its beginning
     * @param rows how many rows were read in scans, and how many entries of indexes
     * @param blocks how many blocks of it and its indexes were asked for: also those of entries that an index looked at
     *     and passed over
     */
    public record Touches(long scans, long rows, long blocks) {

        private Touches minus(Touches before) {
            return new Touches(scans - before.scans, rows - before.rows, blocks - before.blocks);
        }
    }

    /** Until now. */
    public static Touched by(Session session) {
        Map<String, Touches> tables = new TreeMap<>();
        session.dsl()
                .fetch("select c.relname, pg_stat_get_xact_numscans(c.oid),"
                        + " pg_stat_get_xact_tuples_returned(c.oid) + i.rows,"
                        + " pg_stat_get_xact_blocks_fetched(c.oid) + i.blocks"
                        + " from pg_class c cross join lateral (select"
                        + " sum(pg_stat_get_xact_tuples_returned(indexrelid)) as rows,"
                        + " sum(pg_stat_get_xact_blocks_fetched(indexrelid)) as blocks"
                        + " from pg_index where indrelid = c.oid) i"
                        + " where c.relnamespace = 'lanequeue'::regnamespace and c.relkind = 'r'")
                .forEach(row -> tables.put(
                        row.get(0, String.class),
                        new Touches(row.get(1, long.class), row.get(2, long.class), row.get(3, long.class))));
        return new Touched(tables);
    }

    /** The tables in which rows were inserted, updated or deleted until now. */
    static List<String> changedBy(Session session) {
        return session.dsl()
                .fetch("select relname from pg_stat_xact_user_tables"
                        + " where schemaname = 'lanequeue' and n_tup_ins + n_tup_upd + n_tup_del > 0")
                .getValues(0, String.class);
    }

    /** What was touched in addition since then. */
    public Touched since(Touched before) {
        Map<String, Touches> difference = new TreeMap<>();
        tables.forEach((table, touches) -> difference.put(table, touches.minus(before.of(table))));
        return new Touched(difference);
    }

    /** Of one table; nothing of one that is not known. */
    public Touches of(String table) {
        return tables.getOrDefault(table, new Touches(0, 0, 0));
    }

    /** Of all tables. */
    public long sum(ToLongFunction<Touches> part) {
        return tables.values().stream().mapToLong(part).sum();
    }

    /** The tables that were read from their beginning. */
    public Set<String> scanned() {
        return tables.keySet().stream().filter(table -> of(table).scans() > 0).collect(Collectors.toSet());
    }
}
