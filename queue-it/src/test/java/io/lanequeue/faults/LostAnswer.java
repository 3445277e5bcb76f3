package io.lanequeue.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.ConnectionLostException;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Passage;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Relay;
import io.lanequeue.testing.Session;
import java.io.IOException;
import java.sql.SQLException;
import java.util.function.Function;
import org.jooq.DSLContext;

/** Calls of which the server's answer does not arrive: it has committed, and the client does not know. */
final class LostAnswer {

    private LostAnswer() {}

    /** Makes the call on a connection of its own, which is cut before the call's last answer. */
    static void of(QueueDatabase db, Function<DSLContext, Object> call) throws IOException, SQLException {
        try (Relay relay = Relay.before(db.dataSource());
                Session session = db.openBy(relay.dataSource())) {
            Passage passage = relay.nextPassage();
            // In the first one the driver also asks for types, once for a connection.
            rehearse(passage, session, call);
            int answers = rehearse(passage, session, call);
            session.connection().setAutoCommit(true);
            passage.cutAnswer(answers);

            assertThatThrownBy(() -> call.apply(session.dsl()))
                    .isInstanceOfSatisfying(
                            ConnectionLostException.class,
                            e -> assertThat(e.sqlState()).isEqualTo("08006"));
        }
    }

    /** Makes the call and takes it back; the number of its answers. */
    private static int rehearse(Passage passage, Session session, Function<DSLContext, Object> call) {
        session.begin(Isolation.READ_COMMITTED);
        // The beginning has an answer of its own.
        session.snapshot();
        int before = passage.answers();
        call.apply(session.dsl());
        int answers = passage.answers() - before;
        session.rollback();
        return answers;
    }
}
