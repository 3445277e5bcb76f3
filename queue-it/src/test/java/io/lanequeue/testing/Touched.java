package io.lanequeue.testing;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How often tables were scanned, and how many rows of them were touched, in the present transaction, triggers included.
 */
public record Touched(long sequentialScans, long rows) {

    /** Until now. */
    public static Touched by(Session session) {
        return session.dsl()
                .fetchSingle("select sum(seq_scan), sum(seq_tup_read + idx_tup_fetch)"
                        + " from pg_stat_xact_user_tables where schemaname = 'lanequeue'")
                .map(row -> new Touched(row.get(0, long.class), row.get(1, long.class)));
    }

    /** Since then no table was scanned, and so many rows were touched. */
    public void assertSince(Touched before, long atLeast, long atMost, String plan) {
        assertThat(sequentialScans - before.sequentialScans()).as(plan).isZero();
        assertThat(rows - before.rows()).as(plan).isBetween(atLeast, atMost);
    }
}
