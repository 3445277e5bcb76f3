package io.lanequeue.worker;

import io.lanequeue.schema.LanequeueSchema;
import java.time.Duration;
import javax.sql.DataSource;

/** Where a worker listens. */
record Notifications(DataSource dataSource, LanequeueSchema schema) {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    Listener listen(String table, String worker, Runnable wake) {
        var listener = new Listener(dataSource, schema, table, PATIENCE, wake);
        listener.start(worker);
        return listener;
    }
}
