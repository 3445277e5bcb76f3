package io.lanequeue.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.testing.ConnectingDataSource;
import io.lanequeue.testing.TestServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.tools.jdbc.DefaultConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LanequeueSchemaTest {

    private static final LanequeueSchema STANDARD = LanequeueSchema.standard();

    private final DataSource database = TestServer.emptyDatabase();

    @Test
    void migratesIntoTheDefaultSchemaOnce() throws SQLException {
        assertThat(STANDARD.migrate(database)).isPositive();
        assertThat(STANDARD.migrate(database)).isZero();

        assertThat(tablesOf("lanequeue"))
                .containsExactly(
                        "dispatch_outbox",
                        "dispatch_outbox_dead_letters",
                        "dispatch_outbox_user_heads",
                        "effect_queue",
                        "effect_queue_repo_heads",
                        "lanequeue_schema_history");
        assertThat(tablesOf("public")).isEmpty();
        assertThatTheQueueWorks(STANDARD);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "orders",
                "Orders queue",
                "select",
                "Ünïcode.and dots",
                "a;b -- c %s \\ {0} ? :x /* #",
                "sixty-three bytes: 0123456789012345678901234567890123456789 012"
            })
    void migratesIntoANamedSchemaOnce(String name) throws SQLException {
        LanequeueSchema schema = LanequeueSchema.named(name);

        assertThat(schema.migrate(database)).isPositive();
        assertThat(schema.migrate(database)).isZero();

        assertThat(tablesOf(name)).contains("dispatch_outbox", "lanequeue_schema_history");
        assertThat(tablesOf("lanequeue")).isEmpty();
        assertThatTheQueueWorks(schema);
    }

    @Test
    void twoQueuesInOneDatabaseHaveNothingInCommon() throws SQLException {
        LanequeueSchema other = LanequeueSchema.named("other");
        int migrations = STANDARD.migrate(database);

        assertThat(other.migrate(database)).isEqualTo(migrations);

        assertThatTheQueueWorks(other);
        assertThatTheQueueWorks(STANDARD);
    }

    @Test
    void migratesIntoASchemaThatExistsAndHoldsOtherTables() throws SQLException {
        int migrations = LanequeueSchema.named("empty").migrate(database);
        execute("create schema shop", "create table shop.orders (id bigint)");
        LanequeueSchema schema = LanequeueSchema.named("shop");

        assertThat(schema.migrate(database)).isEqualTo(migrations);
        assertThat(schema.migrate(database)).isZero();

        assertThat(tablesOf("shop")).contains("orders", "dispatch_outbox");
        assertThatTheQueueWorks(schema);
    }

    @Test
    void migratesWhateverTheSearchPathIs() throws SQLException {
        var elsewhere = TestServer.emptyDatabase();
        elsewhere.setOptions("-c search_path=nowhere -c TimeZone=Asia/Kathmandu -c DateStyle=German,DMY");

        assertThat(STANDARD.migrate(elsewhere)).isPositive();
        assertThat(STANDARD.migrate(elsewhere)).isZero();
    }

    /** Behind a pool in transaction mode the statement that gives the lock back may come to another session. */
    @Test
    void saysSoWhereTheLockIsLeftWithAnotherSession() throws SQLException {
        try (Connection other = database.getConnection()) {
            DataSource pool = givingTheLockBack(sql -> other.prepareStatement(sql));

            assertThatThrownBy(() -> STANDARD.migrate(pool))
                    .isInstanceOf(MigrationFailedException.class)
                    .hasMessageContaining("not through a pool in transaction mode");
        }
        assertThat(STANDARD.migrate(database)).isZero();
    }

    @Test
    void hasMigratedThoughTheSessionOfItsLockWasEndedMeanwhile() {
        DataSource ending = givingTheLockBack(sql -> {
            throw new SQLException("by the test", "57P01");
        });

        assertThat(STANDARD.migrate(ending)).isPositive();
    }

    /** Gives the lock back in this way. */
    private DataSource givingTheLockBack(Preparation preparation) {
        return new ConnectingDataSource(() -> new DefaultConnection(database.getConnection()) {
            @Override
            public PreparedStatement prepareStatement(String sql) throws SQLException {
                return sql.contains("pg_advisory_unlock(hashtextextended")
                        ? preparation.prepare(sql)
                        : super.prepareStatement(sql);
            }
        });
    }

    private interface Preparation {
        PreparedStatement prepare(String sql) throws SQLException;
    }

    /** Six processes of a service that start together. */
    @ParameterizedTest
    @ValueSource(strings = {"lanequeue", "public"})
    void severalAtOnceMigrateEachMigrationOnce(String name) throws Exception {
        LanequeueSchema schema = LanequeueSchema.named(name);
        int migrations = schema.migrate(TestServer.emptyDatabase());
        for (int round = 0; round < 2; round++) {
            DataSource fresh = TestServer.emptyDatabase();
            var together = new CyclicBarrier(6);
            List<FutureTask<Integer>> processes = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                var process = new FutureTask<>(() -> {
                    together.await();
                    return schema.migrate(fresh);
                });
                new Thread(process, "migration-" + i).start();
                processes.add(process);
            }

            int executed = 0;
            for (FutureTask<Integer> process : processes) {
                executed += result(process);
            }
            assertThat(executed).isEqualTo(migrations);
            assertThat(schema.migrate(fresh)).isZero();
        }
    }

    private static int result(FutureTask<Integer> process) throws InterruptedException, TimeoutException {
        try {
            return process.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("A process could not migrate", e.getCause());
        }
    }

    @Test
    void saysWhichMigrationFailedAndGoesOnWhenMended() throws SQLException {
        execute("create schema lanequeue", "create table lanequeue.dispatch_outbox_user_heads (id bigint)");

        assertThatThrownBy(() -> STANDARD.migrate(database))
                .isInstanceOf(MigrationFailedException.class)
                .hasMessageContaining("Schema \"lanequeue\" was not migrated")
                .hasMessageContaining("V2__user_heads.sql")
                .hasMessageContaining("already exists")
                .hasMessageContaining("migrate again");
        execute("drop table lanequeue.dispatch_outbox_user_heads");

        assertThat(STANDARD.migrate(database)).isPositive();
        assertThatTheQueueWorks(STANDARD);
    }

    @Test
    void saysThatTheRoleMayNotCreateTheSchema() throws SQLException {
        execute("create role lanequeue_guest_" + databaseName());
        var guest = TestServer.emptyDatabase();
        guest.setOptions("-c role=lanequeue_guest_" + databaseName());

        try {
            assertThatThrownBy(() -> STANDARD.migrate(guest))
                    .isInstanceOf(MigrationFailedException.class)
                    .hasMessageContaining("permission denied");
        } finally {
            execute("drop role lanequeue_guest_" + databaseName());
        }
    }

    @Test
    void saysThatTheServerDoesNotAnswer() {
        var nowhere = new org.postgresql.ds.PGSimpleDataSource();
        nowhere.setUrl("jdbc:postgresql://localhost:1/nothing");

        assertThatThrownBy(() -> STANDARD.migrate(nowhere)).isInstanceOf(MigrationFailedException.class);
    }

    @Test
    void namesOfSchemasAreKept() {
        assertThat(STANDARD.name()).isEqualTo("lanequeue");
        assertThat(LanequeueSchema.named("Orders queue").name()).isEqualTo("Orders queue");
    }

    private String databaseName() {
        return ((org.postgresql.ds.PGSimpleDataSource) database).getDatabaseName();
    }

    private void assertThatTheQueueWorks(LanequeueSchema schema) throws SQLException {
        try (Connection connection = database.getConnection()) {
            var dsl = DSL.using(connection, SQLDialect.POSTGRES, schema.settings());
            EventId event = new OutboxProducer().append(dsl, NewEvent.of(1, 1, "message", "{}"));
            var consumer = new OutboxConsumer();
            var claim = consumer.claim(dsl, ClaimRequest.by("worker"));
            assertThat(claim.events()).extracting(io.lanequeue.outbox.Event::id).containsExactly(event);
            assertThat(consumer.complete(dsl, claim).get(0).deleted()).containsExactly(event);
        }
    }

    private List<String> tablesOf(String schema) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return DSL.using(connection, SQLDialect.POSTGRES)
                    .fetch("select tablename::text from pg_tables where schemaname = ? order by 1", schema)
                    .getValues(0, String.class);
        }
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = database.getConnection()) {
            for (String statement : statements) {
                DSL.using(connection, SQLDialect.POSTGRES).execute(statement);
            }
        }
    }
}
