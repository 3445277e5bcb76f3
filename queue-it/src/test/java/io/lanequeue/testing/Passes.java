package io.lanequeue.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.testing.Touched.Touches;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The cost of a call that reads whole tables: a certain number of times, not once for each row of another.
 *
 * @param times how often
 * @param tables which tables
 */
public record Passes(int times, Set<String> tables) implements Cost {

    /** What such a call changes, and what the planner looks up. */
    private static final int ROWS = 200;

    /** Where a pass goes by an index: the entry's, and those on the way to the row. */
    private static final int BLOCKS_PER_ROW = 4;

    /** So many passes over these tables, and nothing of others but for each of their rows one. */
    public static Passes of(int times, String... tables) {
        return new Passes(times, Set.of(tables));
    }

    @Override
    public void assertCovers(PlannedRun run, BacklogDatabase database) {
        long rows = ROWS + times * tables.stream().mapToLong(database::rowsOf).sum();
        assertThat(run.touched().scanned()).as("scanned tables%n%s", run).isSubsetOf(tables);
        assertThat(run.touched().sum(Touches::rows)).as("rows%n%s", run).isBetween(1L, rows);
        assertThat(run.touched().sum(Touches::blocks)).as("blocks%n%s", run).isBetween(1L, rows * BLOCKS_PER_ROW);
    }

    /** Not after many executions: whole tables are read whatever the values. */
    @Override
    public Stream<PlanCache> planCaches() {
        return Stream.of(PlanCache.CUSTOM, PlanCache.GENERIC);
    }
}
