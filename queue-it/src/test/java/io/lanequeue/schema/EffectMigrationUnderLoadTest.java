package io.lanequeue.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectAudit;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.RepoDisagreement;
import io.lanequeue.testing.TestServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.flywaydb.core.Flyway;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * An effect queue of version 4 with a backlog is migrated to the current version while producers enqueue and workers
 * that know no heads claim and complete.
 */
class EffectMigrationUnderLoadTest {

    private static final int BACKLOG = 100_000;
    private static final int REPOS = 300;
    private static final int WRITERS = 3;
    private static final int STEPS_AROUND_MIGRATION = 50;

    private final PGSimpleDataSource dataSource = TestServer.emptyDatabase();
    private final AtomicBoolean migrated = new AtomicBoolean();

    // Taken out: the lock of migration 5: a completion makes in_flight negative, and its writer fails.
    @Test
    void everyClaimIsCountedEveryEffectIsFoundAndNoWriterFails() throws Exception {
        migrateTo("4");
        fillBacklog();
        CountDownLatch underWay = new CountDownLatch(2 * WRITERS);
        ExecutorService threads = Executors.newFixedThreadPool(2 * WRITERS);
        List<Future<Integer>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int number = i;
            writers.add(threads.submit(untilMigrated(underWay, this::enqueue)));
            writers.add(threads.submit(untilMigrated(underWay, connection -> workAsBefore(connection, number))));
        }
        underWay.await();

        LanequeueSchema.standard().migrate(dataSource);
        migrated.set(true);

        for (Future<Integer> writer : writers) {
            assertThat(writer.get()).isGreaterThan(2 * STEPS_AROUND_MIGRATION);
        }
        threads.shutdown();
        try (Connection connection = dataSource.getConnection()) {
            var dsl = DSL.using(connection, SQLDialect.POSTGRES);
            // Who claims and completes in one transaction leaves the head of an empty repository to the next dispatch.
            assertThat(new EffectAudit().disagreements(dsl, EffectAudit.MAX_DISAGREEMENTS))
                    .extracting(RepoDisagreement::kind)
                    .isSubsetOf(RepoDisagreement.Kind.EMPTY_REPO);
            assertThat(number(dsl, "select sum(in_flight) from lanequeue.effect_queue_repo_heads"))
                    .isEqualTo(effects(dsl, "claimed"))
                    .isPositive();
            assertThatEveryEffectIsFound(dsl);
        }
    }

    private static void assertThatEveryEffectIsFound(DSLContext dsl) {
        long waiting = effects(dsl, "enqueued");
        long found = 0;
        int claimed;
        do {
            claimed = new EffectConsumer()
                    .dispatch(dsl, DispatchRequest.by("dispatcher").withLimit(DispatchRequest.MAX_EFFECTS))
                    .size();
            found += claimed;
        } while (claimed > 0);
        assertThat(found).isEqualTo(waiting).isPositive();
        assertThat(new EffectAudit().disagreements(dsl, 10)).isEmpty();
    }

    private static long effects(DSLContext dsl, String state) {
        return number(dsl, "select count(*) from lanequeue.effect_queue where state = '" + state + "'");
    }

    private static long number(DSLContext dsl, String query) {
        return dsl.fetchSingle(query).get(0, long.class);
    }

    private void migrateTo(String version) {
        Flyway.configure()
                .dataSource(dataSource)
                .schemas("lanequeue")
                .locations("classpath:db/lanequeue")
                .table("lanequeue_schema_history")
                .target(version)
                .load()
                .migrate();
    }

    private void fillBacklog() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement insert = connection.prepareStatement(
                        "insert into lanequeue.effect_queue (repo_id, payload, state, scheduled_at, claimed_at, claim_id)"
                                + " select 'repo ' || n % ?, '{}', s.state,"
                                + " case s.state when 'scheduled' then now() + interval '1 day' end,"
                                + " case s.state when 'claimed' then now() end,"
                                + " case s.state when 'claimed' then nextval('lanequeue.effect_queue_claim_seq') end"
                                + " from generate_series(0, ? - 1) n, lateral (select (array['scheduled', 'enqueued',"
                                + " 'claimed', 'enqueued', 'done', 'failed'])[1 + n / 7 % 6] as state) s")) {
            insert.setInt(1, REPOS);
            insert.setInt(2, BACKLOG);
            insert.execute();
        }
    }

    interface Step {
        void run(Connection connection) throws SQLException;
    }

    /** Repeats a step until the migration is over, and so many times before and after it; the number of steps. */
    private Callable<Integer> untilMigrated(CountDownLatch underWay, Step step) {
        return () -> {
            int steps = 0;
            int after = 0;
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                while (after < STEPS_AROUND_MIGRATION) {
                    step.run(connection);
                    connection.commit();
                    if (++steps == STEPS_AROUND_MIGRATION) {
                        underWay.countDown();
                    }
                    after = migrated.get() ? after + 1 : 0;
                }
            }
            return steps;
        };
    }

    /** Some of the repositories are new. One statement for them, which takes them in order. */
    private void enqueue(Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into lanequeue.effect_queue (repo_id, payload, state) values (?, 'new', 'enqueued'),"
                        + " (?, 'new', 'enqueued'), (?, 'new', 'enqueued')")) {
            for (int i = 1; i <= 3; i++) {
                insert.setString(i, "repo " + new Random().nextInt(2 * REPOS));
            }
            insert.execute();
        }
    }

    /** Has its share of the repositories, one in a transaction, as order demands. Completes less than it claims. */
    private void workAsBefore(Connection connection, int number) throws SQLException {
        String repo = "repo " + (number + WRITERS * new Random().nextInt(2 * REPOS / WRITERS));
        List<Long> claimed = new ArrayList<>();
        try (PreparedStatement claim = connection.prepareStatement("with oldest as materialized ("
                + "select id from lanequeue.effect_queue where repo_id = ? and state = 'enqueued'"
                + " order by id limit 3 for update skip locked)"
                + " update lanequeue.effect_queue set state = 'claimed', claimed_at = now(), attempts = attempts + 1,"
                + " claim_id = nextval('lanequeue.effect_queue_claim_seq')"
                + " where id in (select id from oldest) returning id")) {
            claim.setString(1, repo);
            try (ResultSet effects = claim.executeQuery()) {
                while (effects.next()) {
                    claimed.add(effects.getLong(1));
                }
            }
        }
        if (!claimed.isEmpty()) {
            complete(connection, claimed.get(0));
            connection.commit();
            complete(connection, claimed.get(claimed.size() - 1));
        }
    }

    private static void complete(Connection connection, long effect) throws SQLException {
        try (Statement complete = connection.createStatement()) {
            complete.execute("update lanequeue.effect_queue set state = 'done', claim_id = null, done_at = now()"
                    + " where state = 'claimed' and id = " + effect);
        }
    }
}
