package io.lanequeue.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.schema.EventId;
import io.lanequeue.testing.Session;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** With whose rights, and with whose operators, the triggers run. */
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
    void theTriggersUseNoOperatorOfTheCaller() {
        dsl.execute("create schema traps");
        try {
            for (String type : List.of("bigint", "integer")) {
                dsl.execute("create function traps.trap(" + type + ", " + type + ") returns boolean language plpgsql as"
                        + " $$ begin raise exception 'trapped'; end $$");
                for (String operator : List.of("=", "<", ">", "<>")) {
                    dsl.execute("create operator traps." + operator + " (leftarg = " + type + ", rightarg = " + type
                            + ", function = traps.trap)");
                }
            }
            Session caller = db.open();
            caller.dsl().execute("set search_path = traps, pg_catalog");
            assertThatThrownBy(() -> caller.dsl().fetch("select 1::bigint = 2::bigint"))
                    .hasMessageContaining("trapped");

            ByHand.insertBySql(caller.dsl(), 1, 5);
            ByHand.insertBySql(caller.dsl(), 1, 6);
            EventId lower = ByHand.insertBySql(caller.dsl(), 1, 4);
            assertThat(head(1).orElseThrow().getHeadId()).isEqualTo(lower);

            caller.dsl().deleteFrom(DISPATCH_OUTBOX).execute();
            assertThat(head(1)).isEmpty();
        } finally {
            dsl.execute("drop schema traps cascade");
        }
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
