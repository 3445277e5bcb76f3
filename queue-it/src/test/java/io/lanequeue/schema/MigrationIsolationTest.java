package io.lanequeue.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.testing.PooledConnections;
import io.lanequeue.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The backfill needs READ COMMITTED, whatever the service's connections are set to; and they stay as they are. */
class MigrationIsolationTest {

    private final PGSimpleDataSource database = TestServer.emptyDatabase();
    private PooledConnections pool = new PooledConnections(database, connection -> {});

    @AfterEach
    void closePool() throws SQLException {
        pool.close();
    }

    @ParameterizedTest
    @CsvSource({
        "read committed, true", "repeatable read, true", "serializable, true",
        "read committed, false", "repeatable read, false", "serializable, false"
    })
    void connectionsOfAPoolComeBackAsTheyWere(String isolation, boolean autoCommit) throws SQLException {
        pool = new PooledConnections(database, connection -> {
            DSL.using(connection, SQLDialect.POSTGRES)
                    .execute("set session characteristics as transaction isolation level " + isolation);
            connection.setAutoCommit(autoCommit);
        });
        Map<String, String> before;
        try (Connection connection = pool.getConnection()) {
            before = settings(connection);
        }

        assertThat(LanequeueSchema.standard().migrate(pool)).isPositive();

        assertThat(pool.lent()).as("connections that were not given back").isZero();
        for (Connection connection : pool.connections()) {
            assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
            assertThat(settings(connection)).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"repeatable read", "serializable"})
    void migratesWhereTheRolesDefaultIsAnotherIsolation(String isolation) throws SQLException {
        database.setOptions("-c default_transaction_isolation=" + isolation.replace(" ", "\\ "));
        pool = new PooledConnections(database, connection -> {});

        assertThat(LanequeueSchema.standard().migrate(pool)).isPositive();

        for (Connection connection : pool.connections()) {
            assertThat(DSL.using(connection, SQLDialect.POSTGRES)
                            .fetchSingle("show transaction_isolation")
                            .get(0, String.class))
                    .isEqualTo(isolation);
        }
    }

    @Test
    void connectionsOfAPoolComeBackAsTheyWereAfterAFailureToo() throws SQLException {
        try (Connection connection = database.getConnection()) {
            DSL.using(connection, SQLDialect.POSTGRES).execute("create schema lanequeue");
            DSL.using(connection, SQLDialect.POSTGRES)
                    .execute("create table lanequeue.dispatch_outbox_user_heads (id bigint)");
        }
        pool = new PooledConnections(
                database, connection -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE));

        assertThatThrownBy(() -> LanequeueSchema.standard().migrate(pool)).isInstanceOf(MigrationFailedException.class);

        assertThat(pool.lent()).isZero();
        assertThat(pool.connections()).isNotEmpty();
        for (Connection connection : pool.connections()) {
            assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        }
    }

    @Test
    void plainFlywayAtAnotherIsolationIsRefusedBeforeAnythingIsLocked() throws SQLException {
        database.setOptions("-c default_transaction_isolation=repeatable\\ read");
        var flyway = Flyway.configure()
                .dataSource(database)
                .schemas("lanequeue")
                .locations("classpath:db/lanequeue")
                .table("lanequeue_schema_history");

        assertThatThrownBy(() -> flyway.load().migrate())
                .isInstanceOf(FlywayException.class)
                .hasMessageContaining("migration 2 must run at READ COMMITTED, not at repeatable read")
                .hasMessageContaining("Run it through LanequeueSchema");

        assertThat(LanequeueSchema.standard().migrate(database)).isPositive();
    }

    private static Map<String, String> settings(Connection connection) throws SQLException {
        Map<String, String> settings = DSL.using(connection, SQLDialect.POSTGRES)
                .fetch("select name, coalesce(setting, '') as setting from pg_settings where name not like 'plpgsql.%'"
                        + " and name not in ('application_name', 'in_hot_standby')"
                        + " union all select 'current_user', current_user")
                .intoMap(row -> row.get("name", String.class), row -> row.get("setting", String.class));
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        return settings;
    }
}
