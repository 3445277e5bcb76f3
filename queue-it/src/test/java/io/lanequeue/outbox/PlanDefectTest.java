package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.testing.BacklogDatabase;
import io.lanequeue.testing.PlanCache;
import io.lanequeue.testing.PlannedCall;
import io.lanequeue.testing.PlannedRun;
import io.lanequeue.testing.SchemaCode;
import io.lanequeue.testing.Shape;
import io.lanequeue.testing.Statistics;
import io.lanequeue.testing.Trial;
import java.util.function.ToIntFunction;
import java.util.stream.LongStream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@link PlanTest} is to find it does find: each defect is planted in a transaction that is rolled back. */
class PlanDefectTest {

    private enum Defect {
        /** PostgreSQL 18 skips through the index of shards instead: no scan of the table, but all of its rows. */
        NO_INDEX_OF_CLAIMS(Statistics.FRESH, 1_000, OutboxCall.CLAIM, "(read as a whole|rows\n)", (dsl, lanes) -> {
            dsl.execute("drop index lanequeue.dispatch_outbox_user_heads_available_idx");
            return OutboxWork.claim(dsl, lanes);
        }),

        /** The clock of now and not of the statement: it may differ from row to row, so no index knows what is due. */
        CLAIM_BY_A_VOLATILE_CLOCK(
                Statistics.FRESH,
                1,
                OutboxCall.CLAIM,
                "not looked up: [^\n]* due ",
                (dsl, lanes) -> sql(
                        "update lanequeue.dispatch_outbox_user_heads set lease_id = 1 where ctid = any (array("
                                + "select due.ctid from lanequeue.dispatch_outbox_user_heads due"
                                + " where due.available_at <= clock_timestamp() order by due.available_at limit ?"
                                + " for no key update skip locked))",
                        lanes)),

        OUTCOME_JOINED_BY_KEY(
                Statistics.FRESH,
                10_000,
                OutboxCall.RELEASE,
                "(read as a whole|not looked up: ).* Join ",
                (dsl, lanes) -> sql(
                        "update lanequeue.dispatch_outbox_user_heads h set lease_id = null"
                                + " from unnest(?::bigint[]) g (lane) where h.target_user_id = g.lane",
                        lanes(lanes))),

        NOT_EXISTS_IN_THE_DELETE_TRIGGER(Statistics.DRAINED, 10, OutboxCall.COMPLETE, "rows\n", (dsl, lanes) -> {
            new SchemaCode(dsl)
                    .change(
                            "dispatch_outbox_delete_user_heads",
                            trigger -> trigger.replaceAll("\\((SELECT d\\.id[^()]*)\\) IS NULL", "NOT EXISTS ($1)"));
            return OutboxWork.complete(dsl, lanes);
        }),

        DEAD_LETTERS_BY_ID_IN_THE_INDEX_OF_LANES(
                Statistics.DRAINED, 1, OutboxCall.REDRIVE, "blocks\n", (dsl, letters) -> {
                    dsl.execute("drop index lanequeue.dispatch_outbox_dead_letters_lane_idx");
                    dsl.execute("create index dispatch_outbox_dead_letters_lane_idx"
                            + " on lanequeue.dispatch_outbox_dead_letters (target_user_id, id)");
                    // Building an index lets the planner know how many rows there are.
                    dsl.execute("update pg_class set reltuples = 0, relpages = 1000"
                            + " where oid = 'lanequeue.dispatch_outbox_dead_letters'::regclass");
                    return OutboxWork.redrive(dsl, letters);
                });

        private final Statistics statistics;
        private final int units;
        private final OutboxCall planned;
        /** How the failure begins. */
        private final String found;

        private final PlannedCall.Preparation planted;

        Defect(Statistics statistics, int units, OutboxCall planned, String found, PlannedCall.Preparation planted) {
            this.statistics = statistics;
            this.units = units;
            this.planned = planned;
            this.found = found;
            this.planted = planted;
        }

        private static ToIntFunction<DSLContext> sql(String sql, Object argument) {
            return context -> context.query(sql, argument).execute();
        }

        /** From all over the index, so that no walk of it ends soon. */
        private static Long[] lanes(int count) {
            return LongStream.range(0, count).map(n -> n * 10).boxed().toArray(Long[]::new);
        }
    }

    private final BacklogDatabase database = BacklogDatabase.of(new OutboxBacklog(), 100_000, Shape.SKEWED);

    @AfterEach
    void closeSessions() {
        database.closeSessions();
    }

    @ParameterizedTest
    @EnumSource
    void aDefectIsFound(Defect defect) {
        try (Trial trial = database.begin(defect.statistics)) {
            PlannedRun run = PlannedRun.of(trial.session(), defect.planted, defect.units, PlanCache.CUSTOM);

            assertThatThrownBy(() -> defect.planned.cost().assertCovers(run, database))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageMatching("(?s)\\[" + defect.found + ".*");
        }
    }
}
