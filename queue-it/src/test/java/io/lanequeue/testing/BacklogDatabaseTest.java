package io.lanequeue.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a trial leaves of itself, and tells. */
class BacklogDatabaseTest {

    private static final String FILL =
            "insert into lanequeue.dispatch_outbox (target_user_id, pts, event_type, payload)"
                    + " select 1, n, 'plan', '{}' from generate_series(1, 1000) n";

    private final BacklogDatabase database = BacklogDatabase.of(new NoBacklog(), 0, Shape.EVEN);

    @AfterEach
    void closeSessions() {
        database.closeSessions();
    }

    @Test
    void whatATrialChangedIsTakenAway() {
        try (Trial trial = database.begin(Statistics.FRESH)) {
            trial.session().dsl().execute(FILL);
        }

        assertThatNothingIsLeft();
    }

    @Test
    void aStatementThatFailsIsWhatIsToldAndWhatItsTransactionChangedIsTakenAway() {
        assertThatThrownBy(() -> {
                    try (Trial trial = database.begin(Statistics.FRESH)) {
                        trial.session().dsl().execute(FILL);
                        trial.session().dsl().execute("select 1 / 0");
                    }
                })
                .hasMessageContaining("division by zero");

        assertThatNothingIsLeft();
    }

    @Test
    void aFailureToRollBackDoesNotHideWhatFailedBefore() {
        assertThatThrownBy(() -> {
                    try (Trial trial = database.begin(Statistics.FRESH)) {
                        trial.session().close();
                        throw new IllegalArgumentException("first");
                    }
                })
                .hasMessage("first")
                .satisfies(failure -> assertThat(failure.getSuppressed()).isNotEmpty());
    }

    private void assertThatNothingIsLeft() {
        assertThat(outboxBytes()).isPositive();
        database.tidy();
        assertThat(outboxBytes()).isZero();
    }

    private long outboxBytes() {
        try (Trial trial = database.begin(Statistics.FRESH)) {
            return trial.session()
                    .dsl()
                    .fetchSingle("select pg_relation_size('lanequeue.dispatch_outbox')")
                    .get(0, long.class);
        }
    }

    private static final class NoBacklog implements Backlog {

        @Override
        public List<String> tables() {
            return List.of("dispatch_outbox");
        }

        /** No rows; but where a vacuum takes some away, the table shrinks. */
        @Override
        public void fill(DSLContext dsl, int size, Shape shape) {
            dsl.execute("alter table lanequeue.dispatch_outbox reset (vacuum_truncate)");
        }

        @Override
        public void fillPast(DSLContext dsl, Statistics statistics, int size, Shape shape) {}
    }
}
