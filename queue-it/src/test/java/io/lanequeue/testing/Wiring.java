package io.lanequeue.testing;

import io.lanequeue.schema.LanequeueSchema;

/** The ways in which a service may reach the queue. Every statement is tested in each of them. */
public enum Wiring {
    /** The default schema name. */
    STANDARD(LanequeueSchema.standard(), "-c TimeZone=America/New_York"),

    /** Another schema name, one that needs quotes. */
    OTHER_SCHEMA(LanequeueSchema.named("Orders queue"), "-c TimeZone=UTC"),

    /** A session that has little in common with the defaults, on generic plans. */
    ODD_SESSION(
            LanequeueSchema.standard(),
            "-c TimeZone=Asia/Kathmandu -c search_path=nowhere -c IntervalStyle=sql_standard"
                    + " -c plan_cache_mode=force_generic_plan");

    private final LanequeueSchema schema;
    private final String options;

    Wiring(LanequeueSchema schema, String options) {
        this.schema = schema;
        this.options = options;
    }

    public LanequeueSchema schema() {
        return schema;
    }

    String options() {
        return options;
    }
}
