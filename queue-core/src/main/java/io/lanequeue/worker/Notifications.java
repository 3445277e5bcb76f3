package io.lanequeue.worker;

import io.lanequeue.schema.LanequeueSchema;
import java.time.Duration;
import javax.sql.DataSource;

/** Where a worker listens. */
record Notifications(DataSource dataSource, LanequeueSchema schema) {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    Listener listener(String table, Runnable wake) {
        return new Listener(dataSource, schema, table, PATIENCE, wake);
    }
}
