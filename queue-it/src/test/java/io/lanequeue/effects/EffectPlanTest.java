package io.lanequeue.effects;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.internal.PgSql;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.RepoId;
import io.lanequeue.schema.jooq.Tables;
import io.lanequeue.testing.Plans;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Statistics;
import io.lanequeue.testing.Statistics.PlanCache;
import io.lanequeue.testing.Touched;
import io.lanequeue.testing.Wiring;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A dispatcher's claim and its completion cost what they return: with 10,000 repositories and one of them with 300,000
 * older effects, whatever the planner knows, by the plan and by the rows that the server says it touched, triggers
 * included.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EffectPlanTest {

    private static final int REPOS = 10_000;
    private static final int BACKLOG = 1_000_000;
    private static final int BATCH = 1_000;

    /** Rows that a statement may touch for each effect it returns, indexes and triggers counted. */
    private static final int ROWS_PER_EFFECT = 30;

    private static final List<String> TABLES = List.of("effect_queue", "effect_queue_repo_heads");

    private static final RepoId BIG = new RepoId("big");

    private final EffectConsumer consumer = new EffectConsumer();
    private QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);

    @AfterEach
    void closeSessions() {
        db.closeSessions();
    }

    @BeforeAll
    void fill() {
        db = QueueDatabase.create(Wiring.STANDARD);
        try (Session session = db.open()) {
            TABLES.forEach(table ->
                    session.dsl().execute("alter table lanequeue." + table + " set (autovacuum_enabled = off)"));
            session.dsl()
                    .execute("insert into lanequeue.effect_queue (repo_id, payload, state)"
                            + " select 'big', '', 'enqueued' from generate_series(1, " + BACKLOG + ")");
            session.dsl()
                    .execute("insert into lanequeue.effect_queue (repo_id, payload, state)"
                            + " select 'repo ' || n % " + REPOS + ", '', 'enqueued' from generate_series(1, "
                            + 2 * REPOS + ") n");
        }
    }

    @ParameterizedTest
    @EnumSource(Statistics.class)
    void anExcludedRepositoryWithAnOlderBacklogCostsAClaimNothing(Statistics statistics) {
        assertDispatchIsCheap(
                statistics, DispatchRequest.by("plan").withLimit(BATCH).excluding(Set.of(BIG)));
    }

    @ParameterizedTest
    @EnumSource(Statistics.class)
    void aCappedRepositoryWithAnOlderBacklogCostsAClaimNothing(Statistics statistics) {
        assertDispatchIsCheap(
                statistics, DispatchRequest.by("plan").withLimit(BATCH).withCap(1));
    }

    @ParameterizedTest
    @EnumSource(Statistics.class)
    void aDeepRepositoryInFrontCostsAClaimWhatItReturns(Statistics statistics) {
        assertDispatchIsCheap(statistics, DispatchRequest.by("plan").withLimit(BATCH));
    }

    private void assertDispatchIsCheap(Statistics statistics, DispatchRequest request) {
        for (PlanCache planCache : PlanCache.values()) {
            Session session = statistics.begin(db, TABLES, planCache);
            var repos = request.excluded().isEmpty()
                    ? DSL.noCondition()
                    : Tables.EFFECT_QUEUE_REPO_HEADS.REPO_ID.ne(DSL.all(
                            PgSql.array(request.excluded(), Tables.EFFECT_QUEUE_REPO_HEADS.REPO_ID.getDataType())));
            String plan = Plans.explain(
                    session.dsl(),
                    DispatchStatement.query(
                            session.dsl(),
                            PgSql.statementTimestamp(),
                            repos,
                            request.claimant(),
                            request.limit(),
                            request.cap()));

            Touched before = Touched.by(session);
            List<ClaimedEffect> claimed = consumer.dispatch(session.dsl(), request);
            assertThat(claimed).hasSize(BATCH);
            Touched.by(session).assertSince(before, BATCH, (long) BATCH * ROWS_PER_EFFECT, plan);
            session.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource(Statistics.class)
    void aLookAtWhatIsDuePassesOverABacklogThatIsExcluded(Statistics statistics) {
        DispatchRequest request = DispatchRequest.by("plan").excluding(Set.of(BIG));
        for (PlanCache planCache : PlanCache.values()) {
            Session session = statistics.begin(db, TABLES, planCache);
            String plan = Plans.explain(
                    session.dsl(), DueStatement.query(session.dsl(), PgSql.statementTimestamp(), request));

            Touched before = Touched.by(session);
            assertThat(consumer.untilDue(session.dsl(), request)).contains(Duration.ZERO);
            Touched.by(session).assertSince(before, 1, ROWS_PER_EFFECT, plan);
            session.rollback();
        }
    }

    @Test
    void theLimitAndTheCapHoldInNestedLoops() {
        Session session = Statistics.FRESH.begin(db, TABLES, PlanCache.FORCE_GENERIC_PLAN);
        for (String setting : List.of("hashjoin", "mergejoin", "material", "sort")) {
            session.dsl().execute("set local enable_" + setting + " = off");
        }

        List<ClaimedEffect> claimed = consumer.dispatch(
                session.dsl(), DispatchRequest.by("plan").withLimit(50).withCap(3));
        List<ClaimedEffect> more = consumer.dispatch(
                session.dsl(), DispatchRequest.by("plan").withLimit(50).withCap(3));

        assertThat(claimed).hasSize(50);
        assertThat(more).hasSize(50);
        assertThat(claimed).filteredOn(effect -> effect.repoId().equals(BIG)).hasSize(3);
        assertThat(more).filteredOn(effect -> effect.repoId().equals(BIG)).isEmpty();
        session.rollback();
    }

    @ParameterizedTest
    @EnumSource(Statistics.class)
    void aCompletionTouchesOnlyItsEffects(Statistics statistics) {
        for (PlanCache planCache : PlanCache.values()) {
            Session session = statistics.begin(db, TABLES, planCache);
            List<ClaimedEffect> claimed = consumer.dispatch(
                    session.dsl(), DispatchRequest.by("plan").withLimit(BATCH).excluding(Set.of(BIG)));
            List<EffectFailure> ends = claimed.stream()
                    .map(effect -> new EffectFailure(effect.claim(), ""))
                    .toList();
            String plan = Plans.explain(
                    session.dsl(),
                    EndStatement.query(session.dsl(), PgSql.statementTimestamp(), EffectState.DONE, ends, null));

            Touched before = Touched.by(session);
            assertThat(consumer.complete(
                            session.dsl(),
                            claimed.stream().map(ClaimedEffect::claim).toList()))
                    .hasSize(BATCH);
            Touched.by(session).assertSince(before, BATCH, (long) BATCH * ROWS_PER_EFFECT, plan);
            session.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource(Statistics.class)
    void aRetryTouchesOnlyItsEffects(Statistics statistics) {
        for (PlanCache planCache : PlanCache.values()) {
            Session session = statistics.begin(db, TABLES, planCache);
            List<EffectRetry> retries = consumer
                    .dispatch(
                            session.dsl(),
                            DispatchRequest.by("plan").withLimit(BATCH).excluding(Set.of(BIG)))
                    .stream()
                    .map(effect -> new EffectRetry(effect.claim(), Duration.ofMinutes(1), "failed"))
                    .toList();

            Touched before = Touched.by(session);
            assertThat(consumer.retry(session.dsl(), retries)).hasSize(BATCH);
            Touched.by(session).assertSince(before, BATCH, (long) BATCH * ROWS_PER_EFFECT, "");
            session.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource(Statistics.class)
    void aRequeueOfStaleClaimsTouchesOnlyThem(Statistics statistics) {
        for (PlanCache planCache : PlanCache.values()) {
            Session session = statistics.begin(db, TABLES, planCache);
            List<ClaimedEffect> claimed =
                    consumer.dispatch(session.dsl(), DispatchRequest.by("plan").withLimit(BATCH));

            Touched before = Touched.by(session);
            StaleReport report = EffectUpkeep.at(claimed.get(0).claimedAt().plusSeconds(600))
                    .requeueStale(session.dsl(), Duration.ofMinutes(5), 10, BATCH);
            assertThat(report.requeued()).hasSize(BATCH);
            Touched.by(session).assertSince(before, BATCH, (long) BATCH * ROWS_PER_EFFECT, "");
            session.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource(Statistics.class)
    void enqueuingWhatIsDueTouchesOnlyThat(Statistics statistics) {
        for (PlanCache planCache : PlanCache.values()) {
            Session session = statistics.begin(db, TABLES, planCache);
            List<NewEffect> later = IntStream.range(0, BATCH)
                    .mapToObj(i -> NewEffect.of("repo " + i, "").withDelay(Duration.ofHours(1)))
                    .toList();
            new EffectProducer().enqueueAll(session.dsl(), later);
            Field<Instant> due = PgSql.moment(Instant.now().plus(Duration.ofHours(2)));

            Touched before = Touched.by(session);
            UpkeepStatements.promoteDue(session.dsl(), due);
            Touched.by(session).assertSince(before, BATCH, (long) BATCH * ROWS_PER_EFFECT, "");
            assertThat(session.dsl()
                            .fetchCount(Tables.EFFECT_QUEUE, Tables.EFFECT_QUEUE.STATE.eq(EffectState.SCHEDULED)))
                    .isZero();
            session.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource(Statistics.class)
    void aCompletionOnlyLooksUpHeadsAndEffects(Statistics statistics) {
        for (PlanCache planCache : PlanCache.values()) {
            Session session = statistics.begin(db, TABLES, planCache);
            List<EffectFailure> ends =
                    consumer.dispatch(session.dsl(), DispatchRequest.by("plan").withLimit(BATCH)).stream()
                            .map(effect -> new EffectFailure(effect.claim(), ""))
                            .toList();

            Plans.assertLooksUp(
                    Plans.explain(
                            session.dsl(),
                            EndStatement.query(
                                    session.dsl(), PgSql.statementTimestamp(), EffectState.DONE, ends, null)),
                    "effect_queue");
            session.rollback();
        }
    }
}
