package io.lanequeue.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.schema.EventId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.io.IOException;
import java.io.StringReader;
import java.sql.SQLException;
import java.util.List;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** Programs that write the outbox without the library: the triggers keep the heads right. */
class PlainSqlTest extends OutboxFixture {

    @Test
    void anInsertGetsItsHead() {
        EventId event = ByHand.insertBySql(dsl, 1, 5);

        assertThat(ids(claimOne(dsl, 5))).containsExactly(event);
    }

    @Test
    void anInsertOfManyRowsGetsItsHeads() {
        int rows = dsl.execute("insert into " + table()
                + " (target_user_id, pts, event_type, payload)"
                + " select g % 10, g, 'message', '{}' from generate_series(0, 99) g");

        assertThat(rows).isEqualTo(100);
        assertThatHeadsAgree();
        assertThat(drain(dsl)).hasSize(100);
    }

    @Test
    void anInsertThatConflictsChangesNoHead() {
        EventId event = append(dsl, 1, 5);
        var before = head(1);

        int rows = dsl.execute(
                "insert into " + table() + " (id, target_user_id, pts, event_type, payload) overriding system value"
                        + " values (?, 1, 1, 'message', '{}'), (?, 2, 1, 'message', '{}') on conflict (id) do nothing",
                event.value(),
                event.value());

        assertThat(rows).isZero();
        assertThat(head(1)).isEqualTo(before);
        assertThat(head(2)).isEmpty();
    }

    @Test
    void anInsertOfNoRowsChangesNothing() {
        dsl.execute("insert into " + table()
                + " (target_user_id, pts, event_type, payload) select 1, 1, 'message', '{}' where false");

        assertThat(head(1)).isEmpty();
    }

    @Test
    void aCopyGetsItsHeads() throws SQLException, IOException {
        String lines = "1\t5\tmessage\t{}\n1\t3\tmessage\t{}\n2\t1\tmessage\t{}\n";

        long rows = db.open()
                .connection()
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn(
                        "copy " + table() + " (target_user_id, pts, event_type, payload) from stdin",
                        new StringReader(lines));

        assertThat(rows).isEqualTo(3);
        assertThatHeadsAgree();
        assertThat(drain(dsl)).extracting(Event::pts).containsExactly(3, 5, 1);
    }

    @Test
    void aDeleteOfManyRowsMovesAndRemovesHeads() {
        appendMany(1, 3);
        appendMany(2, 2);
        appendMany(3, 4);

        dsl.deleteFrom(DISPATCH_OUTBOX).where(DISPATCH_OUTBOX.PTS.le(2)).execute();

        assertThatHeadsAgree();
        assertThat(head(2)).isEmpty();
        assertThat(drain(dsl)).extracting(Event::pts).containsExactly(3, 3, 4);
    }

    @Test
    void refusesToChangeWhatAnEventIsOrderedBy() {
        EventId event = append(dsl, 1, 5);

        assertThatTheUpdateIsRefused(event, DISPATCH_OUTBOX.PTS, DSL.val(6, DISPATCH_OUTBOX.PTS));
        assertThatTheUpdateIsRefused(
                event, DISPATCH_OUTBOX.TARGET_USER_ID, DSL.val(lane(2), DISPATCH_OUTBOX.TARGET_USER_ID));
        assertThatTheUpdateIsRefused(event, DISPATCH_OUTBOX.ID, DSL.defaultValue(DISPATCH_OUTBOX.ID));

        assertThat(eventsOf(1)).containsExactly(event);
    }

    private <T> void assertThatTheUpdateIsRefused(EventId event, Field<T> column, Field<T> value) {
        assertThatThrownBy(() -> dsl.update(DISPATCH_OUTBOX).set(column, value).execute())
                .isInstanceOfSatisfying(
                        DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo("23001"))
                .hasMessageContaining("event " + event + " of lane 1 keeps its id, target_user_id and pts")
                .hasMessageContaining("Events are never moved. Append a new event");
    }

    @Test
    void letsThePayloadBeChanged() {
        append(dsl, 1, 5);

        int rows = dsl.update(DISPATCH_OUTBOX)
                .set(DISPATCH_OUTBOX.PAYLOAD, JSONB.valueOf("{\"masked\": true}"))
                .set(DISPATCH_OUTBOX.EVENT_TYPE, "masked")
                .set(DISPATCH_OUTBOX.PTS, DISPATCH_OUTBOX.PTS)
                .execute();

        assertThat(rows).isEqualTo(1);
        Event event = claimOne(dsl, 1).events().get(0);
        assertThat(event.payload().data()).isEqualTo("{\"masked\": true}");
        assertThat(event.eventType()).isEqualTo("masked");
    }

    @Test
    void aTruncateRemovesEveryHeadLeasedOrNot() {
        appendMany(1, 2);
        appendMany(2, 2);
        LeasedLane leased = claim(dsl, 1, 1).lanes().get(0);

        dsl.truncate(DISPATCH_OUTBOX).execute();

        assertThat(dsl.fetchCount(DISPATCH_OUTBOX_USER_HEADS)).isZero();
        assertThat(consumer.finish(dsl, List.of(LaneOutcome.completed(leased))))
                .extracting(LaneReport::status)
                .containsExactly(LaneReport.Status.LEASE_LOST);
        EventId later = append(dsl, 1, 1);
        assertThat(ids(claimOne(dsl, 1))).containsExactly(later);
    }

    @Test
    void aTruncateOfSeveralTablesEmptiesThem() {
        appendMany(1, 2);

        dsl.truncate(DISPATCH_OUTBOX, DISPATCH_OUTBOX_USER_HEADS).execute();

        assertThat(dsl.fetchCount(DISPATCH_OUTBOX)).isZero();
        assertThat(dsl.fetchCount(DISPATCH_OUTBOX_USER_HEADS)).isZero();
    }

    /** Its snapshot would not show the heads of lanes that began since: they would stay without events. */
    @Test
    void aTruncateAboveReadCommittedIsRefused() {
        for (Isolation isolation : List.of(Isolation.REPEATABLE_READ, Isolation.SERIALIZABLE)) {
            Session old = db.begin(isolation).snapshot();
            append(dsl, 1, 1);

            assertThatThrownBy(() -> old.dsl().truncate(DISPATCH_OUTBOX).execute())
                    .isInstanceOfSatisfying(
                            DataAccessException.class,
                            e -> assertThat(e.sqlState()).isEqualTo("25000"))
                    .hasMessageContaining("the outbox can be truncated at READ COMMITTED only");
            old.rollback();
        }

        assertThat(eventsOf(1)).hasSize(2);
        assertThatHeadsAgree();
    }

    @Test
    void refusesNegativeKeys() {
        assertThatThrownBy(() -> dsl.execute("insert into " + table()
                        + " (target_user_id, pts, event_type, payload) values (-1, 1, 'message', '{}')"))
                .hasMessageContaining("dispatch_outbox_target_user_id_check");
        assertThatThrownBy(() -> ByHand.insertBySql(dsl, 1, -1)).hasMessageContaining("dispatch_outbox_pts_check");
    }

    private String table() {
        return dsl.render(DISPATCH_OUTBOX);
    }

    private void assertThatHeadsAgree() {
        assertThat(new OutboxAudit().disagreements(dsl, 10)).isEmpty();
    }
}
