package io.lanequeue.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Beside the migrations of a service: neither sees the other's. */
class ConsumerMigrationsTest {

    private final DataSource database = TestServer.emptyDatabase();

    @TempDir
    Path migrations;

    @BeforeEach
    void aServiceWithMigrationsOfItsOwn() throws IOException {
        migration("V1__orders.sql", "create table orders (id bigint primary key);");
        migration("V2__customers.sql", "create table customers (id bigint primary key);");
    }

    @Test
    void theServiceMigratesFirst() throws IOException {
        assertThat(consumer().load().migrate().migrationsExecuted).isEqualTo(2);
        assertThat(LanequeueSchema.standard().migrate(database)).isPositive();

        assertThatBothGoOn(consumer(), LanequeueSchema.standard());
    }

    @Test
    void theQueueMigratesFirst() throws IOException {
        assertThat(LanequeueSchema.standard().migrate(database)).isPositive();
        assertThat(consumer().load().migrate().migrationsExecuted).isEqualTo(2);

        assertThatBothGoOn(consumer(), LanequeueSchema.standard());
    }

    @Test
    void theServiceKeepsItsTablesInTheSchemaOfTheQueue() throws IOException {
        LanequeueSchema schema = LanequeueSchema.named("public");
        assertThat(consumer().load().migrate().migrationsExecuted).isEqualTo(2);
        assertThat(schema.migrate(database)).isPositive();

        assertThatBothGoOn(consumer(), schema);
    }

    @Test
    void theQueueIsFirstInTheSchemaOfTheService() throws IOException {
        LanequeueSchema schema = LanequeueSchema.named("public");
        assertThat(schema.migrate(database)).isPositive();
        // Flyway asks for this in every schema that holds something before its first migration.
        FluentConfiguration consumer = consumer().baselineOnMigrate(true).baselineVersion("0");
        assertThat(consumer.load().migrate().migrationsExecuted).isEqualTo(2);

        assertThatBothGoOn(consumer, schema);
    }

    @Test
    void theServiceHasFewerVersionsThanTheQueueInASchemaOfItsOwn() throws IOException {
        assertThat(LanequeueSchema.standard().migrate(database)).isPositive();
        FluentConfiguration consumer = consumer().schemas("shop");
        assertThat(consumer.load().migrate().migrationsExecuted).isEqualTo(2);

        assertThatBothGoOn(consumer, LanequeueSchema.standard());
    }

    private void assertThatBothGoOn(FluentConfiguration consumer, LanequeueSchema schema) throws IOException {
        migration("V3__invoices.sql", "create table invoices (id bigint primary key);");
        Flyway flyway = consumer.load();
        assertThat(flyway.migrate().migrationsExecuted).isEqualTo(1);
        assertThat(schema.migrate(database)).isZero();
        flyway.validate();
        assertThat(versions(flyway)).containsExactly("1", "2", "3");
    }

    private static List<String> versions(Flyway flyway) {
        return Arrays.stream(flyway.info().applied())
                .filter(info -> info.getVersion() != null
                        && !info.getVersion().getVersion().equals("0"))
                .map(ConsumerMigrationsTest::version)
                .toList();
    }

    private static String version(MigrationInfo info) {
        return info.getVersion().getVersion();
    }

    private FluentConfiguration consumer() {
        return Flyway.configure().dataSource(database).locations("filesystem:" + migrations);
    }

    private void migration(String file, String sql) throws IOException {
        Files.writeString(migrations.resolve(file), sql);
    }
}
