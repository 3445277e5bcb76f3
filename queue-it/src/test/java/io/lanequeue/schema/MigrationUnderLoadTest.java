package io.lanequeue.schema;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.Disagreement;
import io.lanequeue.outbox.OutboxAudit;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.testing.TestServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
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
 * An outbox of version 1 with a backlog is migrated to the current version while producers append and consumers of the
 * old kind read the first events and delete them.
 */
class MigrationUnderLoadTest {

    private static final int BACKLOG = 100_000;
    private static final int LANES = 2_000;
    private static final int WRITERS = 3;
    private static final int STEPS_AROUND_MIGRATION = 50;

    private final PGSimpleDataSource dataSource = TestServer.emptyDatabase();
    private final AtomicBoolean migrated = new AtomicBoolean();

    // Taken out: the lock of migration 2: lanes without a head. The READ COMMITTED of the runner: migration 2 refuses.
    @Test
    void everyLaneHasItsLowestHeadAndNoWriterFails() throws Exception {
        migrateTo("1");
        fillBacklog();
        CountDownLatch underWay = new CountDownLatch(2 * WRITERS);
        ExecutorService threads = Executors.newFixedThreadPool(2 * WRITERS);
        List<Future<Integer>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int number = i;
            writers.add(threads.submit(untilMigrated(underWay, connection -> append(connection, number))));
            writers.add(threads.submit(
                    untilMigrated(underWay, connection -> deliverLikeAnOldConsumer(connection, number))));
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
            // Who empties a lane by several deletes in a transaction, or while an append is open, leaves its head to
            // the
            // next claim.
            assertThat(new OutboxAudit().disagreements(dsl, OutboxAudit.MAX_DISAGREEMENTS))
                    .extracting(Disagreement::kind)
                    .isSubsetOf(Disagreement.Kind.EMPTY_LANE, Disagreement.Kind.DANGLING_HEAD);
            assertThatTheFirstEventOfEveryLaneIsClaimed(dsl);
        }
    }

    private static void assertThatTheFirstEventOfEveryLaneIsClaimed(DSLContext dsl) {
        ClaimRequest request =
                ClaimRequest.by("worker").withLanes(ClaimRequest.MAX_LANES).withLease(Duration.ofHours(1));
        List<EventId> claimed = new ArrayList<>();
        Claim claim;
        do {
            claim = new OutboxConsumer().claim(dsl, request);
            claim.lanes().forEach(lane -> claimed.add(lane.events().get(0).id()));
        } while (!claim.isIdle());
        assertThat(claimed)
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(dsl.select(DISPATCH_OUTBOX.ID)
                        .distinctOn(DISPATCH_OUTBOX.TARGET_USER_ID)
                        .from(DISPATCH_OUTBOX)
                        .orderBy(DISPATCH_OUTBOX.TARGET_USER_ID, DISPATCH_OUTBOX.PTS, DISPATCH_OUTBOX.ID)
                        .fetch(DISPATCH_OUTBOX.ID));
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
                        "insert into lanequeue.dispatch_outbox (target_user_id, pts, event_type, payload)"
                                + " select n % ?, n / ?, 'old', '{}' from generate_series(0, ? - 1) n")) {
            insert.setInt(1, LANES);
            insert.setInt(2, LANES);
            insert.setInt(3, BACKLOG);
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

    /** Each lane has one producer, whose events come in order: then the lowest head is known at every moment. */
    private void append(Connection connection, int number) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into lanequeue.dispatch_outbox (target_user_id, pts, event_type, payload)"
                        + " values (?, (extract(epoch from clock_timestamp()) * 10)::bigint % 1000000000, 'new', '{}')")) {
            for (int i = 0; i < 5; i++) {
                insert.setLong(1, number + WRITERS * (long) new Random().nextInt(2 * LANES / WRITERS));
                insert.execute();
            }
        }
    }

    /**
     * Owns a share of the shards, as order demands. Reads first, then writes in the same transaction: the kind that
     * deadlocks with a careless migration.
     */
    private void deliverLikeAnOldConsumer(Connection connection, int number) throws SQLException {
        try (Statement statement = connection.createStatement();
                PreparedStatement delete =
                        connection.prepareStatement("delete from lanequeue.dispatch_outbox where id = ?")) {
            List<Long> first = new ArrayList<>();
            try (ResultSet events = statement.executeQuery(
                    "select id from lanequeue.dispatch_outbox where mod(target_user_id, 256::bigint) = "
                            + (number + WRITERS * new Random().nextInt(256 / WRITERS))
                            + " order by target_user_id, pts, id limit 3 for update skip locked")) {
                while (events.next()) {
                    first.add(events.getLong(1));
                }
            }
            for (Long event : first) {
                delete.setLong(1, event);
                delete.execute();
            }
        }
    }
}
