package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.Schema;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** The queues lie in the schema that the service names, beside its own tables. */
class OrderSchemasTest {

    private static final DataSource DATABASE = OrdersServer.migratedDatabase();

    private final DSLContext dsl = DSL.using(DATABASE, SQLDialect.POSTGRES);

    @Test
    void eachSchemaHasItsTablesAndItsHistory() {
        assertThat(dsl.meta().getSchemas("shop").get(0).getTables())
                .extracting(Table::getName)
                .containsExactlyInAnyOrder("orders", "flyway_schema_history");
        assertThat(dsl.meta().getSchemas("orders_queue").get(0).getTables())
                .extracting(Table::getName)
                .contains("dispatch_outbox", "dispatch_outbox_user_heads", "effect_queue", "lanequeue_schema_history")
                .doesNotContain("orders", "flyway_schema_history");
    }

    @Test
    void noSchemaHasTheNameThatTheGeneratedClassesCarry() {
        assertThat(dsl.meta().getSchemas()).extracting(Schema::getName).doesNotContain("lanequeue");
    }

    @Test
    void migratingAgainDoesNothing() {
        OrderSchemas.migrate(DATABASE);

        assertThat(OrderSchemas.QUEUES.migrate(DATABASE)).isZero();
    }
}
