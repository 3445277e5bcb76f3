package io.lanequeue.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.schema.EventId;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Wiring;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The answer to a commit is lost, at each moment at which it can be. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WitnessTest {

    private final QueueDatabase db = QueueDatabase.create(Wiring.STANDARD);
    private final OutboxProducer producer = new OutboxProducer();
    private Counts<Happening> happenings;

    @BeforeEach
    void begin() {
        happenings = new Counts<>(Happening.class);
        Witness.createTable(db.open().dsl());
    }

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @Test
    void knowsThatACommitWithoutAnAnswerHappened() {
        Optional<EventId> committed = append(witness(db.open(), Connection::commit, db.open()));

        assertThat(committed).contains(eventsInTheOutbox().get(0));
        assertThat(happenings.of(Happening.IN_DOUBT_COMMITTED)).isOne();
    }

    @Test
    void knowsThatACommitWithoutAnAnswerDidNotHappen() {
        Optional<EventId> committed = append(witness(db.open(), Connection::rollback, db.open()));

        assertThat(committed).isEmpty();
        assertThat(eventsInTheOutbox()).isEmpty();
        assertThat(happenings.of(Happening.IN_DOUBT_LOST)).isOne();
    }

    @Test
    void waitsForACommitThatIsStillUnderWay() throws SQLException {
        Session lost = db.open();
        Session next = db.open();
        Witness witness = witness(lost, connection -> {}, next);
        Session.Call<Optional<EventId>> call =
                next.start(dsl -> append(witness)).awaitWaiting();

        lost.connection().commit();

        assertThat(call.get()).contains(eventsInTheOutbox().get(0));
    }

    /** A witness that loses its first connection at its first commit, and goes on with the next one. */
    private Witness witness(Session first, LosingConnection.Fate fate, Session next) {
        Queue<Connection> connections =
                new ArrayDeque<>(List.of(LosingConnection.of(first.connection(), fate), next.connection()));
        return new Witness(new Client(connections::remove), "test", happenings);
    }

    private Optional<EventId> append(Witness witness) {
        try {
            return witness.commit(
                    Isolation.SERIALIZABLE,
                    transaction -> producer.append(transaction, NewEvent.of(1, 0, "test", "{}")));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<EventId> eventsInTheOutbox() {
        return Backlog.eventsLeft(db.open().dsl());
    }
}
