package io.lanequeue.testing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.jooq.DSLContext;

/** Operators in a schema of their own that fail when they are used: what a caller might have found first. */
public final class Traps implements AutoCloseable {

    private final DSLContext dsl;

    private Traps(DSLContext dsl) {
        this.dsl = dsl;
    }

    public static Traps setBy(DSLContext dsl) {
        dsl.execute("create schema traps");
        for (String type : List.of("bigint", "integer", "text")) {
            dsl.execute("create function traps.trap(" + type + ", " + type + ") returns boolean language plpgsql as"
                    + " $$ begin raise exception 'trapped'; end $$");
            for (String operator : List.of("=", "<", ">", "<>")) {
                dsl.execute("create operator traps." + operator + " (leftarg = " + type + ", rightarg = " + type
                        + ", function = traps.trap)");
            }
        }
        return new Traps(dsl);
    }

    /** Lets a session find them before the server's own operators. */
    public void setFor(DSLContext caller) {
        caller.execute("set search_path = traps, pg_catalog");
        assertThatThrownBy(() -> caller.fetch("select 1::bigint = 2::bigint")).hasMessageContaining("trapped");
    }

    @Override
    public void close() {
        dsl.execute("drop schema traps cascade");
    }
}
