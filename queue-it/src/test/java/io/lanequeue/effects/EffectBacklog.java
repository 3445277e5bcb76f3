package io.lanequeue.effects;

import io.lanequeue.testing.Backlog;
import io.lanequeue.testing.Shape;
import io.lanequeue.testing.Statistics;
import java.util.List;
import org.jooq.DSLContext;

/**
 * 200,000 enqueued effects of the repositories from 0 on, and 50,000 in each state in which they wait for something
 * else; of a skewed backlog a million enqueued ones of repository 0, which came first, and half of the others. 10,000
 * of repository 0 have been claimed for long.
 */
final class EffectBacklog implements Backlog {

    private static final int ENQUEUED = 200_000;
    private static final int ENQUEUED_IN_FRONT = 1_000_000;
    private static final int OTHERS = 50_000;
    private static final int CLAIMED = 10_000;

    @Override
    public List<String> tables() {
        return List.of("effect_queue", "effect_queue_repo_heads");
    }

    /** The name of a repository. */
    static String repo(long number) {
        return "repo " + number;
    }

    /** How many effects are enqueued of each repository. */
    static int depth(int repos) {
        return ENQUEUED / repos;
    }

    @Override
    public void fill(DSLContext dsl, int repos, Shape shape) {
        if (shape == Shape.SKEWED) {
            dsl.execute(
                    "insert into lanequeue.effect_queue (repo_id, payload, state)"
                            + " select 'repo 0', '', 'enqueued' from generate_series(1, ?)",
                    ENQUEUED_IN_FRONT);
        }
        dsl.execute(
                "insert into lanequeue.effect_queue (repo_id, payload, state)"
                        + " select 'repo ' || n * 7919 % ?, '', 'enqueued' from generate_series(1, ?) n",
                repos, ENQUEUED);
        String columns = "(repo_id, payload, state, scheduled_at, done_at, failed_at)";
        for (String state : List.of("scheduled", "done", "failed")) {
            dsl.execute(
                    "insert into lanequeue.effect_queue " + columns
                            + " select 'repo ' || case when ? and n % 2 = 0 then 0 else n % ? end, '', ?,"
                            + " now() + interval '1 day' + moment, now() - interval '2 days' + moment,"
                            + " now() - interval '2 days' + moment"
                            + " from generate_series(1, ?) n, lateral (select n * 7919 % ? * interval '1 s') m (moment)",
                    shape == Shape.SKEWED,
                    repos,
                    state,
                    OTHERS,
                    OTHERS);
        }
        dsl.execute(
                "insert into lanequeue.effect_queue (repo_id, payload, state, claim_id, claimed_at, attempts)"
                        + " select 'repo 0', '', 'claimed', nextval('lanequeue.effect_queue_claim_seq'),"
                        + " now() - interval '1 day' + n * 7919 % ? * interval '1 s', 1 from generate_series(1, ?) n",
                CLAIMED, CLAIMED);
        dsl.execute("insert into lanequeue.effect_queue_repo_heads (repo_id, head_id, in_flight)"
                + " select repo_id, min(id) filter (where state = 'enqueued'), count(*) filter (where state = 'claimed')"
                + " from lanequeue.effect_queue where state in ('enqueued', 'claimed') group by repo_id");
    }

    @Override
    public void fillPast(DSLContext dsl, Statistics statistics, int repos, Shape shape) {
        if (statistics == Statistics.OF_A_HUNDREDTH) {
            for (String table : tables()) {
                dsl.execute(
                        "insert into of_a_hundredth." + table + " select * from lanequeue." + table
                                + " where repo_id in (select 'repo ' || n from generate_series(1, ?) n)",
                        Math.max(repos / 100, 1));
            }
            return;
        }
        // Other repositories, whose effects are in flight; and all effects done, and of one repository.
        dsl.execute(
                "insert into of_others.effect_queue_repo_heads"
                        + " select 'other ' || n, null, 1 from generate_series(1, ?) n",
                repos);
        dsl.execute(
                "insert into of_others.effect_queue (id, repo_id, payload, state, done_at, enqueued_at, attempts)"
                        + " select n, 'other', '', 'done', now(), now(), 1 from generate_series(1, ?) n",
                ENQUEUED);
    }
}
