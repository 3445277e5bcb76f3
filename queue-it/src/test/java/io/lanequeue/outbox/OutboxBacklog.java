package io.lanequeue.outbox;

import io.lanequeue.testing.Backlog;
import io.lanequeue.testing.Shape;
import io.lanequeue.testing.Statistics;
import java.util.List;
import org.jooq.DSLContext;

/**
 * 200,000 events of the lanes from 0 on; of a skewed backlog as many again of lane 0, which were appended first. These
 * lanes are due, lane 0 for the longest time, and the order in which the others became so is not that of the table. A
 * tenth as many others are backing off, leased and blocked, each.
 */
final class OutboxBacklog implements Backlog {

    /** The ids of dead letters follow this one. */
    static final long DEAD_LETTERS_AFTER = 1_000_000_000;

    private static final int OTHER_LANES = 1_000_000;
    private static final int EVENTS = 200_000;
    private static final int DEAD_LETTERS = 200_000;

    @Override
    public List<String> tables() {
        return List.of("dispatch_outbox", "dispatch_outbox_user_heads", "dispatch_outbox_dead_letters");
    }

    /** How many lanes are backing off or leased. */
    static int waiting(int lanes) {
        return lanes / 10 * 2;
    }

    @Override
    public void fill(DSLContext dsl, int lanes, Shape shape) {
        if (shape == Shape.SKEWED) {
            dsl.execute(
                    "insert into lanequeue.dispatch_outbox (target_user_id, pts, event_type, payload)"
                            + " select 0, n, 'plan', '{}' from generate_series(1, ?) n",
                    EVENTS);
        }
        dsl.execute(
                "insert into lanequeue.dispatch_outbox (target_user_id, pts, event_type, payload)"
                        + " select n % ?, n, 'plan', '{}' from generate_series(1, ?) n",
                lanes, EVENTS);
        dsl.execute(
                "insert into lanequeue.dispatch_outbox_user_heads (target_user_id, head_id, head_pts, available_at)"
                        + " select distinct on (target_user_id) target_user_id, id, pts,"
                        + " now() - interval '1 day' + target_user_id * 7919 % ? * interval '1 ms'"
                        + " from lanequeue.dispatch_outbox order by target_user_id, pts, id",
                lanes);
        // Lanes in the other states, a tenth as many in each.
        dsl.execute(
                "insert into lanequeue.dispatch_outbox (target_user_id, pts, event_type, payload)"
                        + " select n, 1, 'plan', '{}' from generate_series(?, ?) n",
                OTHER_LANES,
                OTHER_LANES + 3 * lanes / 10 - 1);
        dsl.execute(
                "insert into lanequeue.dispatch_outbox_user_heads (target_user_id, head_id, head_pts, available_at, lease_id)"
                        + " select target_user_id, id, pts,"
                        + " case target_user_id % 3 when 0 then 'infinity' else now() + interval '1 day' + target_user_id * interval '1 ms' end,"
                        + " case target_user_id % 3 when 1 then 0 end"
                        + " from lanequeue.dispatch_outbox where target_user_id >= ?",
                OTHER_LANES);
        dsl.execute(
                "insert into lanequeue.dispatch_outbox_dead_letters (id, target_user_id, pts, event_type, payload,"
                        + " created_at, attempts, reason, discarded_at)"
                        + " select ? + n, case when ? and n % 2 = 0 then 0 else n % ? end, 1, 'plan', '{}', now(), 1,"
                        + " 'plan', now() - interval '1 day' + n * 7919 % ? * interval '1 ms'"
                        + " from generate_series(1, ?) n",
                DEAD_LETTERS_AFTER, shape == Shape.SKEWED, lanes, DEAD_LETTERS, DEAD_LETTERS);
    }

    @Override
    public void fillPast(DSLContext dsl, Statistics statistics, int lanes, Shape shape) {
        if (statistics == Statistics.OF_A_HUNDREDTH) {
            for (String table : tables()) {
                dsl.execute(
                        "insert into of_a_hundredth." + table + " select * from lanequeue." + table
                                + " where target_user_id between 1 and ?",
                        Math.max(lanes / 100, 1));
            }
            return;
        }
        // Other lanes, one in two hundred of them due; and all events, and all dead letters, of one lane, which few
        // were discarded long ago.
        dsl.execute("insert into of_others.dispatch_outbox_user_heads"
                + " select 2000000 + target_user_id, 2000000 + head_id, head_pts, logical_shard,"
                + " available_at + case when target_user_id % 200 = 0 then interval '0' else interval '2 days' end,"
                + " 1 + target_user_id, 'plan', 1, null from lanequeue.dispatch_outbox_user_heads");
        dsl.execute("insert into of_others.dispatch_outbox"
                + " select 2000000 + id, 2000000, pts, event_type, payload, created_at from lanequeue.dispatch_outbox");
        dsl.execute("insert into of_others.dispatch_outbox_dead_letters"
                + " select 2000000 + id, 2000000, pts, event_type, payload, created_at, attempts, last_error, reason,"
                + " discarded_at + case when id % 200 = 0 then interval '0' else interval '2 days' end"
                + " from lanequeue.dispatch_outbox_dead_letters");
    }
}
