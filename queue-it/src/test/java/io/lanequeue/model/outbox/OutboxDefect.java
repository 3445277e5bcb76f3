package io.lanequeue.model.outbox;

import io.lanequeue.testing.SchemaCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Consumer;

/** Variants of the schema that are wrong. */
enum OutboxDefect {
    ROW_TRIGGERS_OF_MIGRATION_2(11, code -> {
        code.run(maintainUserHead());
        for (String event : new String[] {"insert", "delete"}) {
            code.run("create or replace trigger dispatch_outbox_" + event + "_user_head after " + event
                    + " on lanequeue.dispatch_outbox for each row"
                    + " execute function lanequeue.dispatch_outbox_maintain_user_head()");
        }
    }),
    /** It waits for an open append, and decides by what it saw before. */
    HEAD_REMOVED_IN_ONE_STATEMENT(43, code -> {
        code.replace(Functions.DELETE, "FOR UPDATE OF x SKIP LOCKED", "FOR UPDATE OF x");
        code.replace(Functions.DELETE, "IF emptied IS NOT NULL", "IF false");
    }),
    HEAD_REMOVED_ABOVE_READ_COMMITTED(
            12, code -> code.replace(Functions.DELETE, Functions.IS_READ_COMMITTED, "read_committed boolean := true;")),
    LANE_SETTLED_ABOVE_READ_COMMITTED(
            149,
            code -> code.replace(
                    "dispatch_outbox_settle_heads",
                    "current_setting('transaction_isolation') IN ('read committed', 'read uncommitted')",
                    "true")),
    APPEND_WITHOUT_PIN(40, code -> code.replace(Functions.INSERT, "FOR KEY SHARE", "")),
    DELETE_THAT_MOVES_A_LEASED_HEAD(11, code -> code.replace(Functions.DELETE, "AND x.lease_id IS NULL", "")),
    LOWER_APPEND_THAT_CUTS_A_LEASE(
            2, code -> code.replace(Functions.INSERT, Functions.AVAILABLE_AT, "pg_catalog.clock_timestamp()")),
    LOWER_APPEND_THAT_LEAVES_A_BLOCK(
            54, code -> code.replace(Functions.INSERT, Functions.AVAILABLE_AT, "h.available_at")),
    REPAIR_THAT_REMOVES_A_LEASED_HEAD(
            131, code -> code.replace("dispatch_outbox_repair_heads", "h.lease_id IS NULL\n          AND ", ""));

    private final long seed;
    private final Consumer<SchemaCode> plant;

    OutboxDefect(long seed, Consumer<SchemaCode> plant) {
        this.seed = seed;
        this.plant = plant;
    }

    /** Where a search finds it soon. */
    long seed() {
        return seed;
    }

    void plantIn(SchemaCode code) {
        plant.accept(code);
    }

    private static final class Functions {

        static final String INSERT = "dispatch_outbox_insert_user_heads";
        static final String DELETE = "dispatch_outbox_delete_user_heads";

        static final String IS_READ_COMMITTED = "read_committed boolean :="
                + " current_setting('transaction_isolation') IN ('read committed', 'read uncommitted');";
        static final String AVAILABLE_AT =
                "CASE WHEN h.lease_id IS NULL THEN pg_catalog.clock_timestamp() ELSE h.available_at END";
    }

    /** The function of migration 2, which migration 3.1 dropped. */
    private static String maintainUserHead() {
        String migration = read("/db/lanequeue/V2__user_heads.sql");
        int start = migration.indexOf("CREATE FUNCTION");
        int end = migration.indexOf("$lanequeue$;", start) + "$lanequeue$;".length();
        return migration
                .substring(start, end)
                .replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
                .replace("${flyway:defaultSchema}", "lanequeue");
    }

    private static String read(String resource) {
        try (InputStream in = Objects.requireNonNull(OutboxDefect.class.getResourceAsStream(resource))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
