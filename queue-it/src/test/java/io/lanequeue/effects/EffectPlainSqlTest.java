package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.io.IOException;
import java.io.StringReader;
import java.sql.SQLException;
import java.util.List;
import org.jooq.Field;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** Programs that write the effect queue without the library: the triggers keep the heads right. */
class EffectPlainSqlTest extends EffectFixture {

    @Test
    void anInsertOfManyRowsInEveryStateGetsItsHeads() {
        int rows = dsl.execute("insert into " + table() + " (repo_id, payload, state, scheduled_at)"
                + " select 'repo ' || g % 10, '{}',"
                + " (array['scheduled', 'enqueued', 'claimed', 'done', 'failed'])[1 + g / 10 % 5],"
                + " now() + interval '1 hour' from generate_series(0, 199) g");

        assertThat(rows).isEqualTo(200);
        assertThatHeadsAgree();
        assertThat(inFlight("repo 3")).isEqualTo(4);
        assertThat(dispatch(dsl, 1_000)).hasSize(40);
        assertThat(dispatch(dsl, 1_000)).isEmpty();
    }

    @Test
    void anInsertOfNoRowsChangesNothing() {
        dsl.execute(
                "insert into " + table() + " (repo_id, payload, state) select 'repo', '{}', 'enqueued' where false");

        assertThat(head("repo")).isEmpty();
    }

    @Test
    void aCopyGetsItsHeads() throws SQLException, IOException {
        String lines = "b\t1\tenqueued\na\t2\tenqueued\nb\t3\tclaimed\nc\t4\tdone\n";

        long rows = db.open()
                .connection()
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("copy " + table() + " (repo_id, payload, state) from stdin", new StringReader(lines));

        assertThat(rows).isEqualTo(4);
        assertThatHeadsAgree();
        assertThat(inFlight("b")).isEqualTo(1);
        assertThat(dispatch(dsl, 10)).extracting(ClaimedEffect::payload).containsExactly("1", "2");
    }

    @Test
    void aClaimAndACompletionBySqlAreCounted() {
        List<EffectId> effects = enqueueMany("repo", 3);

        dsl.execute(
                "update " + table() + " set state = 'claimed', claimed_by = 'old', claimed_at = now() where id <= ?",
                effects.get(1).value());
        assertThat(inFlight("repo")).isEqualTo(2);
        assertThat(dispatch(dsl, 10, 2)).isEmpty();
        dsl.execute(
                "update " + table() + " set state = 'done', done_at = now() where id = ?",
                effects.get(0).value());

        assertThatHeadsAgree();
        assertThat(ids(dispatch(dsl, 10, 2))).containsExactly(effects.get(2));
    }

    @Test
    void anUpdateOfEveryRowKeepsTheHeadsRight() {
        List<EffectId> a = enqueueMany("a", 3);
        List<EffectId> b = enqueueMany("b", 2);
        dispatch(dsl, 4);

        assertThat(dsl.execute("update " + table() + " set state = case state when 'claimed' then 'enqueued'"
                        + " else 'claimed' end"))
                .isEqualTo(5);

        assertThat(inFlight("a")).isZero();
        assertThat(inFlight("b")).isEqualTo(1);
        assertThat(ids(dispatch(dsl, 10))).containsExactly(a.get(0), a.get(1), a.get(2), b.get(0));
        assertThatHeadsAgree();
    }

    @Test
    void aDeleteOfManyRowsMovesAndRemovesHeads() {
        enqueueMany("a", 3);
        enqueueMany("b", 2);
        dispatch(dsl, 2);
        List<EffectId> late = enqueueMany("c", 2);

        assertThat(dsl.deleteFrom(EFFECT_QUEUE)
                        .where(EFFECT_QUEUE.ID.lt(late.get(1)))
                        .execute())
                .isEqualTo(6);

        assertThatHeadsAgree();
        assertThat(head("a")).isEmpty();
        assertThat(head("b")).isEmpty();
        assertThat(ids(dispatch(dsl, 10))).containsExactly(late.get(1));
    }

    @Test
    void refusesToMoveAnEffect() {
        EffectId effect = enqueue(dsl, "repo");

        assertThatTheUpdateIsRefused(effect, EFFECT_QUEUE.REPO_ID, DSL.val(repo("other"), EFFECT_QUEUE.REPO_ID));
        assertThatTheUpdateIsRefused(effect, EFFECT_QUEUE.ID, DSL.defaultValue(EFFECT_QUEUE.ID));

        assertThat(effect(effect).getRepoId()).isEqualTo(repo("repo"));
        assertThatHeadsAgree();
    }

    private <T> void assertThatTheUpdateIsRefused(EffectId effect, Field<T> column, Field<T> value) {
        assertThatThrownBy(() -> dsl.update(EFFECT_QUEUE).set(column, value).execute())
                .isInstanceOfSatisfying(
                        DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo("23001"))
                .hasMessageContaining("effect " + effect + " keeps its id and its repository repo");
    }

    @Test
    void letsThePayloadBeChanged() {
        enqueue(dsl, "repo");

        int rows = dsl.update(EFFECT_QUEUE)
                .set(EFFECT_QUEUE.PAYLOAD, "masked")
                .set(EFFECT_QUEUE.REPO_ID, EFFECT_QUEUE.REPO_ID)
                .execute();

        assertThat(rows).isEqualTo(1);
        assertThat(dispatchOne(dsl).payload()).isEqualTo("masked");
    }

    @Test
    void refusesAnUnknownState() {
        assertThatThrownBy(() -> dsl.execute(
                        "insert into " + table() + " (repo_id, payload, state) values ('repo', '{}', 'lost')"))
                .hasMessageContaining("effect_queue_state_check");
    }

    @Test
    void aTruncateRemovesEveryHead() {
        enqueueMany("a", 2);
        enqueueMany("b", 2);
        List<EffectClaim> claims = claims(dispatch(dsl, 3));

        dsl.truncate(EFFECT_QUEUE).execute();

        assertThat(dsl.fetchCount(EFFECT_QUEUE_REPO_HEADS)).isZero();
        assertThat(consumer.complete(dsl, claims))
                .extracting(EffectReport::status)
                .containsOnly(EffectReport.Status.CLAIM_LOST);
        EffectId later = enqueue(dsl, "a");
        assertThat(ids(dispatch(dsl, 10, 1))).containsExactly(later);
    }

    /** Its snapshot would not show the heads of repositories that began since: they would stay without effects. */
    @Test
    void aTruncateAboveReadCommittedIsRefused() {
        for (Isolation isolation : List.of(Isolation.REPEATABLE_READ, Isolation.SERIALIZABLE)) {
            Session old = db.begin(isolation).snapshot();
            enqueue(dsl, "repo");

            assertThatThrownBy(() -> old.dsl().truncate(EFFECT_QUEUE).execute())
                    .isInstanceOfSatisfying(
                            DataAccessException.class,
                            e -> assertThat(e.sqlState()).isEqualTo("25000"))
                    .hasMessageContaining("the effect queue can be truncated at READ COMMITTED only");
            old.rollback();
        }

        assertThat(dsl.fetchCount(EFFECT_QUEUE)).isEqualTo(2);
        assertThat(stateOf(dispatch(dsl, 1).get(0).claim().effect())).isEqualTo(EffectState.CLAIMED);
        assertThatHeadsAgree();
    }

    private String table() {
        return dsl.render(EFFECT_QUEUE);
    }

    private void assertThatHeadsAgree() {
        assertThat(new EffectAudit().disagreements(dsl, 10)).isEmpty();
    }
}
