package io.lanequeue.faults;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_DEAD_LETTERS;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.ConnectionLostException;
import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectOperation;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.testing.Gate;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.QueueCall;
import io.lanequeue.testing.QueueContents;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Wiring;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Table;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The server ends the session in the middle of a call: once at each of the call's writes, those of the triggers
 * included, or, where a call writes nothing, before its first row.
 */
class TerminatedBackendTest {

    private static final AtomicInteger ENDED = new AtomicInteger();

    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @AfterAll
    static void tellHowMany() {
        System.out.println("Terminated backends: " + ENDED + " sessions ended in the middle of a call");
    }

    @ParameterizedTest
    @MethodSource(EveryCall.CHANGES)
    void aChangeIsUndoneWhereverItIsEndedAndSucceedsOnAnotherConnection(QueueCall operation) {
        DSLContext dsl = db.open().dsl();
        int writes = 0;
        try (Gate gate = Gate.afterChanges(db)) {
            while (isEndedAfter(writes, operation, gate, dsl)) {
                writes++;
                db.empty(dsl);
            }
        }

        assertThat(writes).as("times it was ended").isPositive();
        ENDED.addAndGet(writes);
    }

    /** Ends the call at the write after so many others; false if it has no more. */
    private boolean isEndedAfter(int writes, QueueCall operation, Gate gate, DSLContext dsl) {
        Function<DSLContext, Object> call = operation.prepare(dsl);
        QueueContents before = QueueContents.of(dsl);
        Session session = gate.holdsAfter(db.open(), writes);
        var running = session.start(call);
        if (!running.waitsBeforeItEnds()) {
            return false;
        }
        if (operation == EffectOperation.DISPATCH_THAT_PROMOTES) {
            // It enqueues what is due in a statement of its own, which may have been the one before.
            before = QueueContents.of(dsl);
        }

        end(dsl, session, running);

        assertThat(QueueContents.of(dsl)).isEqualTo(before);
        call.apply(dsl);
        assertThat(QueueContents.of(dsl)).isNotEqualTo(before);
        return true;
    }

    @Test
    void findsACallThatIsTwoTransactions() {
        assertThatThrownBy(() -> aChangeIsUndoneWhereverItIsEndedAndSucceedsOnAnotherConnection(new TwoTransactions()))
                .isInstanceOf(AssertionError.class);
    }

    @ParameterizedTest
    @MethodSource(EveryCall.LOOKS)
    void aLookIsToldAndSucceedsOnAnotherConnection(QueueCall operation) {
        DSLContext dsl = db.open().dsl();
        Function<DSLContext, Object> call = operation.prepare(dsl);
        Session holding = db.begin(Isolation.READ_COMMITTED);
        for (Table<?> table : List.of(
                DISPATCH_OUTBOX,
                DISPATCH_OUTBOX_USER_HEADS,
                DISPATCH_OUTBOX_DEAD_LETTERS,
                EFFECT_QUEUE,
                EFFECT_QUEUE_REPO_HEADS)) {
            holding.dsl().execute("lock table {0} in access exclusive mode", table);
        }
        Session session = db.open();
        var running = session.start(call).awaitWaiting();

        end(dsl, session, running);

        ENDED.incrementAndGet();
        holding.rollback();
        assertThat(call.apply(dsl)).isNotNull();
    }

    private static void end(DSLContext dsl, Session session, Session.Call<Object> running) {
        dsl.fetch("select pg_terminate_backend(?)", session.pid());
        assertThatThrownBy(running::get)
                .isInstanceOfSatisfying(
                        ConnectionLostException.class,
                        e -> assertThat(e.sqlState()).isEqualTo("57P01"));
        session.awaitEnd();
    }

    /** A claim and its report, as one call might do it that is in a hurry. */
    private record TwoTransactions() implements QueueCall {

        @Override
        public Function<DSLContext, Object> prepare(DSLContext dsl) {
            new EffectProducer().enqueue(dsl, NewEffect.of("repo", "{}"));
            var consumer = new EffectConsumer();
            return context -> consumer.complete(
                    context,
                    consumer.dispatch(context, DispatchRequest.by("worker")).stream()
                            .map(ClaimedEffect::claim)
                            .toList());
        }

        @Override
        public boolean isReadOnly() {
            return false;
        }
    }
}
