package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.internal.PgSql;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Plans;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Statistics;
import io.lanequeue.testing.Statistics.PlanCache;
import io.lanequeue.testing.Touched;
import io.lanequeue.testing.Wiring;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A claim and its outcome cost what they return: with 100,000 lanes, whatever the planner knows, by the plan and by the
 * rows that the server says it touched, triggers included.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlanTest {

    private static final int LANES = 100_000;
    private static final int BATCH = 1_000;

    /**
     * Rows of the heads and the outbox that a statement may touch for each lane it returns, indexes and triggers
     * counted.
     */
    private static final int ROWS_PER_LANE = 25;

    private static final List<String> TABLES = List.of("dispatch_outbox", "dispatch_outbox_user_heads");

    private final OutboxConsumer consumer = new OutboxConsumer();
    private QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);

    /** Also of a test that failed, so that it does not hold up the others. */
    @AfterEach
    void closeSessions() {
        db.closeSessions();
    }

    @BeforeAll
    void fill() {
        db = QueueDatabase.create(Wiring.STANDARD);
        try (Session session = db.open()) {
            session.dsl().execute("alter table lanequeue.dispatch_outbox set (autovacuum_enabled = off)");
            session.dsl().execute("alter table lanequeue.dispatch_outbox_user_heads set (autovacuum_enabled = off)");
            session.dsl()
                    .execute("insert into lanequeue.dispatch_outbox (target_user_id, pts, event_type, payload)"
                            + " select n % " + LANES + ", n / " + LANES + ", 'plan', '{}' from generate_series(0, "
                            + (2 * LANES - 1) + ") n");
        }
    }

    private static ClaimRequest request() {
        return ClaimRequest.by("plan").withLanes(BATCH).withEventsPerLane(2);
    }

    @ParameterizedTest
    @EnumSource(Statistics.class)
    void aClaimTouchesOnlyTheLanesItReturns(Statistics statistics) {
        for (PlanCache planCache : PlanCache.values()) {
            Session session = statistics.begin(db, TABLES, planCache);
            String plan = Plans.explain(
                    session.dsl(), ClaimStatement.query(session.dsl(), PgSql.statementTimestamp(), request()));
            Plans.assertLooksUp(plan, "dispatch_outbox");

            Touched before = Touched.by(session);
            assertThat(consumer.claim(session.dsl(), request()).lanes()).hasSize(BATCH);
            assertCheap(session, before, BATCH, plan);
            session.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource(Statistics.class)
    void aClaimOfSomeShardsTouchesOnlyTheLanesItReturns(Statistics statistics) {
        ClaimRequest ofSomeShards = request().withShards(LogicalShards.share(3, 8));
        for (PlanCache planCache : PlanCache.values()) {
            Session session = statistics.begin(db, TABLES, planCache);
            String plan = Plans.explain(
                    session.dsl(), ClaimStatement.query(session.dsl(), PgSql.statementTimestamp(), ofSomeShards));
            Plans.assertLooksUp(plan, "dispatch_outbox");

            Touched before = Touched.by(session);
            assertThat(consumer.claim(session.dsl(), ofSomeShards).lanes()).hasSize(BATCH);
            assertCheap(session, before, BATCH, plan);
            session.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource(Statistics.class)
    void anOutcomeTouchesOnlyItsLanes(Statistics statistics) {
        for (PlanCache planCache : PlanCache.values()) {
            Session session = statistics.begin(db, TABLES, planCache);
            Claim claim = consumer.claim(session.dsl(), request());
            List<LaneOutcome> outcomes = IntStream.range(0, BATCH)
                    .mapToObj(i -> mixed(i, claim.lanes().get(i)))
                    .toList();
            String plan = Plans.explain(
                    session.dsl(), FinishStatement.query(session.dsl(), PgSql.statementTimestamp(), outcomes));
            Plans.assertLooksUp(plan, "dispatch_outbox");

            Touched before = Touched.by(session);
            assertThat(consumer.finish(session.dsl(), outcomes)).hasSize(BATCH);
            assertCheap(session, before, BATCH, plan);
            session.rollback();
        }
    }

    // Taken out: the fenced lane in the lookup of the event to delete in FinishStatement (the lane that the caller
    // names instead): an event is locked before its fence is compared, and its lane's new holder would miss it.
    @ParameterizedTest
    @EnumSource(Statistics.class)
    void anOutcomeUnderLostLeasesTouchesNoEvent(Statistics statistics) {
        for (PlanCache planCache : PlanCache.values()) {
            Session session = statistics.begin(db, TABLES, planCache);
            Claim lost = consumer.claim(session.dsl(), request());
            consumer.release(
                    session.dsl(), lost.lanes().stream().map(LeasedLane::lease).toList());

            long before = eventsTouchedBy(session);
            assertThat(consumer.complete(session.dsl(), lost))
                    .extracting(LaneReport::status)
                    .containsOnly(LaneReport.Status.LEASE_LOST);
            assertThat(eventsTouchedBy(session)).isEqualTo(before);
            session.rollback();
        }
    }

    private static long eventsTouchedBy(Session session) {
        return session.dsl()
                .fetchSingle("select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables"
                        + " where relid = 'lanequeue.dispatch_outbox'::regclass")
                .get(0, long.class);
    }

    private static LaneOutcome mixed(int number, LeasedLane lane) {
        return switch (number % 4) {
            case 0 -> LaneOutcome.retry(lane, lane.events().get(1).id(), Duration.ofSeconds(1), "failed");
            case 1 -> LaneOutcome.deliveredThrough(lane, lane.events().get(0).id());
            default -> LaneOutcome.completed(lane);
        };
    }

    @ParameterizedTest
    @EnumSource(Statistics.class)
    void anExtensionTouchesOnlyItsLanes(Statistics statistics) {
        for (PlanCache planCache : PlanCache.values()) {
            Session session = statistics.begin(db, TABLES, planCache);
            List<Lease> leases = consumer.claim(session.dsl(), request()).lanes().stream()
                    .map(LeasedLane::lease)
                    .toList();
            String plan = Plans.explain(
                    session.dsl(),
                    ExtendStatement.query(session.dsl(), PgSql.statementTimestamp(), leases, Duration.ofMinutes(1)));
            Plans.assertLooksUp(plan, "dispatch_outbox");

            Touched before = Touched.by(session);
            assertThat(consumer.extend(session.dsl(), leases, Duration.ofMinutes(1)))
                    .hasSize(BATCH);
            assertCheap(session, before, BATCH, plan);
            session.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource(Statistics.class)
    void aLookAtWhatIsDueTouchesOneLaneOfEachShard(Statistics statistics) {
        for (PlanCache planCache : PlanCache.values()) {
            for (LogicalShards shards : List.of(LogicalShards.all(), LogicalShards.share(3, 8))) {
                Session session = statistics.begin(db, TABLES, planCache);
                String plan = Plans.explain(
                        session.dsl(), DueStatement.query(session.dsl(), PgSql.statementTimestamp(), shards));

                Touched before = Touched.by(session);
                assertThat(consumer.untilDue(session.dsl(), shards)).contains(Duration.ZERO);
                assertCheap(
                        session, before, shards.areAll() ? 1 : shards.numbers().size(), plan);
                session.rollback();
            }
        }
    }

    @Test
    void aLaneWithHalfOfAllEventsInFrontCostsAClaimAsMuchAsAnyOther() {
        for (PlanCache planCache : PlanCache.values()) {
            Session session = Statistics.FRESH.begin(db, TABLES, planCache);
            session.dsl()
                    .execute("insert into lanequeue.dispatch_outbox (target_user_id, pts, event_type, payload)"
                            + " select 0, n, 'hot', '{}' from generate_series(2, " + 2 * LANES + ") n");
            session.dsl()
                    .execute("update lanequeue.dispatch_outbox_user_heads set available_at = '-infinity'"
                            + " where target_user_id = 0");
            ClaimRequest request = request().withLanes(50).withEventsPerLane(20);

            Touched before = Touched.by(session);
            Claim claim = consumer.claim(session.dsl(), request);
            assertThat(claim.lanes().get(0).events()).hasSize(20);
            assertCheap(session, before, 50, "");

            before = Touched.by(session);
            consumer.complete(session.dsl(), claim);
            assertCheap(session, before, 50, "");
            session.rollback();
        }
    }

    @Test
    void manyDueLanesThatTheStatisticsDoNotKnowCostAClaimNothing() {
        try (Session session = db.open()) {
            session.dsl()
                    .execute("update lanequeue.dispatch_outbox_user_heads set available_at = 'infinity'"
                            + " where target_user_id >= 500");
            session.dsl().execute("analyze lanequeue.dispatch_outbox_user_heads");
            session.dsl()
                    .execute("update lanequeue.dispatch_outbox_user_heads set available_at = clock_timestamp()"
                            + " where available_at = 'infinity'");
        }
        for (LogicalShards shards : List.of(LogicalShards.all(), LogicalShards.share(3, 8))) {
            Session session = db.begin(Isolation.READ_COMMITTED);
            Touched before = Touched.by(session);
            assertThat(consumer.claim(session.dsl(), request().withShards(shards))
                            .lanes())
                    .hasSize(BATCH);
            assertCheap(session, before, BATCH, "");
            session.rollback();
        }
    }

    @Test
    void settlingTouchesOnlyTheLanesThatAreEmpty() {
        Session session = Statistics.FRESH.begin(db, TABLES, PlanCache.FORCE_GENERIC_PLAN);
        session.dsl().execute("set local session_replication_role = replica");
        session.dsl().execute("delete from lanequeue.dispatch_outbox where target_user_id < " + BATCH);
        session.dsl().execute("set local session_replication_role = origin");
        session.dsl()
                .execute(
                        "update lanequeue.dispatch_outbox_user_heads set available_at = '-infinity' where target_user_id < "
                                + BATCH);

        Touched before = Touched.by(session);
        assertThat(consumer.claim(session.dsl(), request())).isEqualTo(new Claim(List.of(), BATCH));
        assertCheap(session, before, BATCH, "");
        session.rollback();
    }

    /**
     * So many rows of the heads and the outbox were touched since as that many lanes may cost, and no table was
     * scanned.
     */
    private static void assertCheap(Session session, Touched before, int lanes, String plan) {
        Touched.by(session).assertSince(before, lanes, (long) lanes * ROWS_PER_LANE, plan);
    }
}
