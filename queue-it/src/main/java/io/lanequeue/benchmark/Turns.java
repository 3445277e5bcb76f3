package io.lanequeue.benchmark;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.postgresql.util.PSQLState;

/**
 * Measures several ways of doing one thing in turn, round by round, so that whatever disturbs the machine disturbs all
 * of them. Each round begins with another of them, and every other round goes backwards.
 *
 * @param warmUp rounds that are not counted
 * @param rounds rounds that are
 * @param limit a way that has taken so long in rounds that are counted, or a quarter of it in the warm-up, is left out
 *     of the others
 */
record Turns(int warmUp, int rounds, Duration limit) {

    private static final int WARM_UP_PART = 4;

    /** The latencies of each way, in their order. */
    List<Latencies> measure(List<? extends Round> ways) throws SQLException, InterruptedException {
        inTurn(warmUp, limit.dividedBy(WARM_UP_PART), ways);
        return inTurn(rounds, limit, ways);
    }

    private static List<Latencies> inTurn(int rounds, Duration limit, List<? extends Round> ways)
            throws SQLException, InterruptedException {
        List<Latencies> found =
                Stream.generate(Latencies::new).limit(ways.size()).toList();
        long[] left = new long[ways.size()];
        Arrays.fill(left, limit.toNanos());
        for (int round = 0; round < rounds; round++) {
            for (int turn = 0; turn < ways.size(); turn++) {
                // Back and forth: nobody always comes after the same one.
                int way = Math.floorMod(round % 2 == 0 ? round + turn : round - turn, ways.size());
                if (left[way] > 0) {
                    left[way] -= run(ways.get(way), found.get(way));
                }
            }
        }
        return found;
    }

    private static long run(Round way, Latencies into) throws SQLException, InterruptedException {
        long start = System.nanoTime();
        try {
            into.record(way.nanos());
        } catch (SQLException e) {
            if (!PSQLState.QUERY_CANCELED.getState().equals(e.getSQLState())) {
                throw e;
            }
            into.recordCutShort(System.nanoTime() - start);
        }
        return System.nanoTime() - start;
    }
}
