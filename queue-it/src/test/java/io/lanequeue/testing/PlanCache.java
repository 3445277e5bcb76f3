package io.lanequeue.testing;

import org.jooq.DSLContext;
import org.jooq.Query;

/** How the server plans a statement that is prepared. */
public enum PlanCache {
    /** For the values of each execution. */
    CUSTOM("force_custom_plan"),

    /** Once, for any values. */
    GENERIC("force_generic_plan"),

    /** As it does by itself: five times for the values, then for any if that looks no worse. */
    AUTO("auto");

    /**
     * From its fifth execution on the driver has a statement prepared on the server; from the sixth of these on the
     * server may have settled on a plan for any values.
     */
    private static final int UNTIL_SETTLED = 12;

    private final String setting;

    PlanCache(String setting) {
        this.setting = setting;
    }

    /** The value of {@code plan_cache_mode}. */
    String setting() {
        return setting;
    }

    /** How often a call must be made until it is planned so for good. */
    int executions() {
        return this == AUTO ? UNTIL_SETTLED : 1;
    }

    /** The plan of a statement that was executed that often. */
    String explain(DSLContext dsl, Query query) {
        return this == AUTO ? Plans.ofPrepared(dsl, query) : Plans.explain(dsl, query);
    }
}
