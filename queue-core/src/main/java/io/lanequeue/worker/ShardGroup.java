package io.lanequeue.worker;

import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.LanequeueSchema;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * The workers that split all shards among them.
 *
 * @param lookEvery how often a member looks who is there
 * @param patience how long it waits for the database's answer
 */
record ShardGroup(DataSource dataSource, LanequeueSchema schema, String name, Duration lookEvery, Duration patience) {

    private static final int MAX_NAME_LENGTH = 200;

    ShardGroup {
        Inputs.text("name of a group of workers", name, MAX_NAME_LENGTH);
    }

    static ShardGroup of(DataSource dataSource, LanequeueSchema schema, String name) {
        return new ShardGroup(dataSource, schema, name, Duration.ofSeconds(2), Duration.ofSeconds(10));
    }

    /** Another one for each schema and name: a schema's name has no quotes. */
    String lockName() {
        return "lanequeue shards of \"" + schema.name() + "\" " + name;
    }
}
