package io.lanequeue.model.outbox;

import io.lanequeue.model.Campaign;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Wiring;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Random sequences of everything that can be done to the outbox, on four connections, against {@link OutboxModel}. */
class OutboxModelTest {

    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @Test
    void everySequenceGoesAsTheModelSays() {
        Campaign.run(OutboxModelTest.class, db, new OutboxQueue(), 150);
    }
}
