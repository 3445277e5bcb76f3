package io.lanequeue.soak;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.DSLContext;

/**
 * The sizes of all tables and indexes of the queues at one moment.
 *
 * @param at when, since the soak began
 * @param relations the tables, and after each its indexes
 */
record Sample(Duration at, List<RelationSize> relations) {

    private static final String SIZES = """
            select t.relname, r.relname, pg_table_size(r.oid), coalesce(s.n_live_tup, 0), coalesce(s.n_dead_tup, 0)
            from pg_class t
            join pg_namespace n on n.oid = t.relnamespace
            cross join lateral (select t.oid, t.relname, 0 as position
                                union all
                                select i.oid, i.relname, 1
                                from pg_index x join pg_class i on i.oid = x.indexrelid
                                where x.indrelid = t.oid) r
            left join pg_stat_user_tables s on s.relid = r.oid
            where n.nspname = 'lanequeue' and t.relkind = 'r' and t.relname <> 'lanequeue_schema_history'
            order by t.relname, r.position, r.relname
            """;

    static Sample of(DSLContext dsl, Duration at) {
        return new Sample(
                at,
                dsl.fetch(SIZES)
                        .map(row -> new RelationSize(
                                row.get(0, String.class),
                                row.get(1, String.class),
                                row.get(2, long.class),
                                row.get(3, long.class),
                                row.get(4, long.class))));
    }

    /** The names of the tables. */
    List<String> tables() {
        return relations.stream()
                .filter(size -> !size.isIndex())
                .map(RelationSize::table)
                .toList();
    }

    /** The bytes of a table, without its indexes. */
    long tableBytes(String table) {
        return of(table)
                .filter(size -> !size.isIndex())
                .mapToLong(RelationSize::bytes)
                .sum();
    }

    /** The bytes of a table's indexes, together. */
    long indexBytes(String table) {
        return of(table)
                .filter(RelationSize::isIndex)
                .mapToLong(RelationSize::bytes)
                .sum();
    }

    /** The rows of a table that wait to be vacuumed. */
    long deadRows(String table) {
        return of(table).mapToLong(RelationSize::dead).sum();
    }

    private Stream<RelationSize> of(String table) {
        return relations.stream().filter(size -> size.table().equals(table));
    }
}
