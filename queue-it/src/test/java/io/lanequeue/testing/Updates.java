package io.lanequeue.testing;

import org.jooq.Record;
import org.jooq.Table;

/**
 * Updates of a table's rows in a session's transaction, as the server counts them.
 *
 * @param all how many
 * @param inPlace those that added no entry to any index
 */
public record Updates(int all, int inPlace) {

    /** Until now. */
    public static Updates of(Session session, Table<?> table) {
        Record counts = session.dsl()
                .fetchSingle(
                        "select pg_stat_get_xact_tuples_updated(t.oid)::integer,"
                                + " pg_stat_get_xact_tuples_hot_updated(t.oid)::integer"
                                + " from (select cast({0} as regclass)::oid) t (oid)",
                        org.jooq.impl.DSL.inline(session.dsl().render(table)));
        return new Updates(counts.get(0, int.class), counts.get(1, int.class));
    }
}
