package io.lanequeue.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every statement that a public call of the queue sends is one of those that the planned calls send. */
public abstract class PlannedStatementsContract {

    private final QueueDatabase empty = QueueDatabase.of(Wiring.STANDARD);
    private final BacklogDatabase database;

    protected PlannedStatementsContract(Backlog backlog) {
        database = BacklogDatabase.of(backlog, 100_000, Shape.SKEWED);
    }

    protected abstract Stream<? extends PlannedCall> plannedCalls();

    /** Every public call of the queue, each with a statement that must be planned. */
    protected abstract Stream<? extends QueueCall> everyCall();

    @AfterEach
    void leaveNothing() {
        database.closeSessions();
        database.tidy();
    }

    @Test
    void everyStatementIsPlanned() {
        Set<String> planned = plannedCalls().flatMap(this::sentBy).collect(Collectors.toSet());
        assertThat(everyCall().flatMap(this::sentBy)).isSubsetOf(planned);
    }

    private Stream<String> sentBy(PlannedCall planned) {
        try (Trial trial = database.begin(Statistics.FRESH)) {
            ToIntFunction<DSLContext> call = planned.prepare(trial.session().dsl(), 1);
            return sent(trial.session(), call::applyAsInt);
        }
    }

    private Stream<String> sentBy(QueueCall operation) {
        Session session = empty.open();
        Function<DSLContext, Object> call = operation.prepare(session.dsl());
        Stream<String> sent = sent(session, call::apply);
        empty.reset();
        return sent;
    }

    private static Stream<String> sent(Session session, Consumer<DSLContext> call) {
        return Sent.by(session.dsl(), call).stream().map(Sent::sql);
    }
}
