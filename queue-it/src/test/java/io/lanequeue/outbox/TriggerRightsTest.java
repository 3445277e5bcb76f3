package io.lanequeue.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.schema.EventId;
import io.lanequeue.schema.jooq.Routines;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Traps;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** With whose rights, and with whose operators, the functions run, and who may call them. */
class TriggerRightsTest extends OutboxFixture {

    @Test
    void aProducerNeedsNoRightOnTheHeads() {
        asRole("insert, select, delete", producing -> {
            assertThatThrownBy(() -> producing.fetchCount(DISPATCH_OUTBOX_USER_HEADS))
                    .isInstanceOfSatisfying(
                            DataAccessException.class,
                            e -> assertThat(e.sqlState()).isEqualTo("42501"));

            List<EventId> events = producer.appendAll(producing, List.of(event(1, 1), event(1, 2)));
            producing
                    .deleteFrom(DISPATCH_OUTBOX)
                    .where(DISPATCH_OUTBOX.ID.eq(events.get(0)))
                    .execute();

            assertThat(ids(claimOne(dsl, 5))).containsExactly(events.get(1));
        });
    }

    /** Were an operator found through the caller's search_path, it would run with the rights of the tables' owner. */
    @Test
    void theFunctionsUseNoOperatorOfTheCaller() {
        EventId gone = append(dsl, 2, 1);
        Lease lease = claimOne(dsl, 1).lease();
        deleteBySql(db.open(), gone);
        try (Traps traps = Traps.setBy(dsl)) {
            Session caller = db.open();
            traps.setFor(caller.dsl());

            ByHand.insertBySql(caller.dsl(), 1, 5);
            ByHand.insertBySql(caller.dsl(), 1, 6);
            EventId lower = ByHand.insertBySql(caller.dsl(), 1, 4);
            assertThat(head(1).orElseThrow().getHeadId()).isEqualTo(lower);

            caller.dsl().deleteFrom(DISPATCH_OUTBOX).execute();
            assertThat(head(1)).isEmpty();

            assertThat(caller.dsl()
                            .fetchValue(Routines.dispatchOutboxSettleHeads(
                                    new Long[] {2L}, new Long[] {lease.id().value()})))
                    .isEqualTo(1);
            assertThat(head(2)).isEmpty();

            assertThat(new OutboxAudit().repair(caller.dsl())).isEqualTo(new Repair(0, 0));
            caller.dsl().truncate(DISPATCH_OUTBOX).execute();
        }
    }

    @Test
    void aRoleThatMayTruncateTheOutboxNeedsNoRightOnTheHeads() {
        appendMany(1, 2);

        asRole("truncate", truncating -> truncating.truncate(DISPATCH_OUTBOX).execute());

        assertThat(head(1)).isEmpty();
    }

    /** On a table of its own it could write any head with the rights of the tables' owner. */
    @Test
    void aProducerCannotHangTheTriggerFunctionsOnATableOfItsOwn() {
        asRole("insert, select", producing -> {
            producing.execute("create temporary table own (target_user_id bigint, id bigint, pts integer)");
            assertThatPermissionIsDenied(
                    producing,
                    "create trigger own after insert on own referencing new table as new_rows"
                            + " for each statement execute function {0}()",
                    "dispatch_outbox_insert_user_heads");
            assertThatPermissionIsDenied(
                    producing,
                    "create trigger own after delete on own referencing old table as old_rows"
                            + " for each statement execute function {0}()",
                    "dispatch_outbox_delete_user_heads");
            assertThatPermissionIsDenied(
                    producing,
                    "create trigger own after truncate on own for each statement execute function {0}()",
                    "dispatch_outbox_truncate_user_heads");
            assertThatPermissionIsDenied(
                    producing,
                    "create trigger own before update on own for each row execute function {0}()",
                    "dispatch_outbox_refuse_update");
            producing.execute("drop table own");
        });
    }

    @Test
    void aProducerCanNeitherSettleNorRepair() {
        asRole("insert, select", producing -> {
            assertThatPermissionIsDenied(
                    producing, "select {0}(array[]::bigint[], array[]::bigint[])", "dispatch_outbox_settle_heads");
            assertThatPermissionIsDenied(producing, "select {0}()", "dispatch_outbox_repair_heads");
        });
    }

    private void assertThatPermissionIsDenied(DSLContext context, String sql, String function) {
        assertThatThrownBy(() -> context.execute(sql, DSL.name(db.schema().name(), function)))
                .as(function)
                .isInstanceOfSatisfying(
                        DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo("42501"))
                .hasMessageContaining("permission denied for function");
    }

    /** A lane whose events a worker may not see is not empty. */
    @Test
    void settlingRemovesNoHeadOfALaneWhoseEventsRowSecurityHides() {
        EventId event = append(dsl, 1, 1);
        asRole("select", working -> {
            String role = working.fetchSingle("select current_user").get(0, String.class);
            var schema = DSL.name(db.schema().name());
            dsl.execute("grant all on {0} to " + role, DISPATCH_OUTBOX_USER_HEADS);
            dsl.execute("grant usage on sequence {0}.dispatch_outbox_lease_seq to " + role, schema);
            dsl.execute("grant execute on function {0}.dispatch_outbox_settle_heads to " + role, schema);
            dsl.execute("alter table {0} enable row level security", DISPATCH_OUTBOX);
            try {
                assertOnlySettled(claim(working, 10, 1), 1);
            } finally {
                dsl.execute("alter table {0} disable row level security", DISPATCH_OUTBOX);
            }
        });

        assertThat(ids(claimOne(dsl, 1))).containsExactly(event);
    }

    /** The same for repair. */
    @Test
    void repairRemovesNoHeadOfALaneWhoseEventsRowSecurityHides() {
        EventId event = append(dsl, 1, 1);
        asRole("select, update", repairing -> {
            String role = repairing.fetchSingle("select current_user").get(0, String.class);
            dsl.execute("grant all on {0} to " + role, DISPATCH_OUTBOX_USER_HEADS);
            dsl.execute(
                    "grant execute on function {0}.dispatch_outbox_repair_heads to " + role,
                    DSL.name(db.schema().name()));
            dsl.execute("alter table {0} enable row level security", DISPATCH_OUTBOX);
            try {
                assertThat(new OutboxAudit().repair(repairing)).isEqualTo(new Repair(0, 0));
            } finally {
                dsl.execute("alter table {0} disable row level security", DISPATCH_OUTBOX);
            }
        });

        assertThat(ids(claimOne(dsl, 1))).containsExactly(event);
    }

    private interface Calls {
        void on(DSLContext context);
    }

    /** Runs the calls as a role that has the given rights on the outbox and none on anything else. */
    private void asRole(String rights, Calls calls) {
        String role = "producer_" + UUID.randomUUID().toString().replace("-", "");
        var schema = DSL.name(db.schema().name());
        dsl.execute("create role " + role);
        try {
            dsl.execute("grant usage on schema {0} to " + role, schema);
            dsl.execute("grant " + rights + " on {0} to " + role, DISPATCH_OUTBOX);
            Session session = db.open();
            session.dsl().execute("set role " + role);
            calls.on(session.dsl());
        } finally {
            dsl.execute("drop owned by " + role);
            dsl.execute("drop role " + role);
        }
    }
}
