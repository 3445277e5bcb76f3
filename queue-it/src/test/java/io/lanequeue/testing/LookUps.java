package io.lanequeue.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.testing.Touched.Touches;
import java.util.List;
import java.util.function.IntBinaryOperator;
import java.util.stream.Stream;

/**
 * The cost of a call that finds what it works on, whatever the backlog.
 *
 * @param rows at most so many for each unit of the workload, entries of indexes included
 * @param blocks at most so many for each unit of the workload, those of indexes included
 * @param way how rows may be found
 * @param workload how much there is to do, for so many units in a backlog of such a size
 */
public record LookUps(int rows, int blocks, Way way, IntBinaryOperator workload) implements Cost {

    /** Once for each call: what the planner looks up, the first way down each index, and tables of a few pages. */
    private static final int ROWS = 200;

    private static final int BLOCKS = 150;

    /**
     * So few lanes or repositories may all be looked at, each with what is left of its head: the planner takes them for
     * one.
     */
    private static final int FEW = 100;

    private static final int ROWS_OF_EACH = 15;

    private static final int BLOCKS_OF_EACH = 3;

    private static final int USUAL_BATCH = 100;

    /** How rows may be found. */
    public enum Way {
        /** By conditions on an index, or by place. */
        BY_CONDITION,
        /** Also from the beginning of an index on, in its order, as far as is asked for. */
        IN_ORDER
    }

    /** Rows and blocks for each unit, found by conditions on indexes or by place. */
    public static LookUps of(int rows, int blocks) {
        return new LookUps(rows, blocks, Way.BY_CONDITION, (units, size) -> units);
    }

    /** The same, where an index may also be walked from its beginning on. */
    public LookUps inOrder() {
        return new LookUps(rows, blocks, Way.IN_ORDER, workload);
    }

    /** The same for each unit of another workload. */
    public LookUps ofEach(IntBinaryOperator other) {
        return new LookUps(rows, blocks, way, other);
    }

    @Override
    public void assertCovers(PlannedRun run, BacklogDatabase database) {
        List<String> large = database.largeTables();
        for (String plan : run.plans()) {
            if (run.units() <= USUAL_BATCH && run.planCache() != PlanCache.GENERIC) {
                Plans.assertIsNotCompiled(plan);
            }
            switch (way) {
                case BY_CONDITION -> Plans.assertLooksUp(plan, large);
                case IN_ORDER -> Plans.assertScansNone(plan, large);
            }
        }
        Touched touched = run.touched();
        large.forEach(table -> assertThat(touched.of(table).scans())
                .as("scans of %s%n%s", table, run)
                .isZero());
        long work = workload.applyAsInt(run.units(), database.size());
        int few = database.size() <= FEW ? database.size() : 0;
        assertThat(touched.sum(Touches::rows))
                .as("rows%n%s", run)
                .isLessThanOrEqualTo(ROWS + ROWS_OF_EACH * few + rows * work);
        assertThat(touched.sum(Touches::blocks))
                .as("blocks%n%s", run)
                .isBetween(1L, BLOCKS + BLOCKS_OF_EACH * few + blocks * work);
    }

    @Override
    public Stream<PlanCache> planCaches() {
        return Stream.of(PlanCache.values());
    }
}
