package com.example.orders;

import io.lanequeue.schema.LanequeueSchema;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/**
 * The two schemas of the service, side by side in its database: {@code shop} with its orders, and that of its queues.
 */
final class OrderSchemas {

    static final LanequeueSchema QUEUES = LanequeueSchema.named("orders_queue");

    private OrderSchemas() {}

    /** When the service starts. */
    static void migrate(DataSource dataSource) {
        QUEUES.migrate(dataSource);
        Flyway.configure()
                .dataSource(dataSource)
                .schemas("shop")
                .loggers("slf4j")
                .load()
                .migrate();
    }
}
