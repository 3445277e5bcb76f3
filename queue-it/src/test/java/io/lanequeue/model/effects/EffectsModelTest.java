package io.lanequeue.model.effects;

import io.lanequeue.model.Campaign;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Wiring;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Random sequences of everything that can be done to the effect queue, on four connections, against
 * {@link EffectsModel}.
 */
class EffectsModelTest {

    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @Test
    void everySequenceGoesAsTheModelSays() {
        Campaign.run(EffectsModelTest.class, db, new EffectsQueue(), 150);
    }
}
