package io.lanequeue.faults;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.devdb.ProcessLog;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.JavaProcess;
import io.lanequeue.testing.QueueContents;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.TestServer;
import io.lanequeue.testing.Wiring;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client process that is killed in the middle of its transaction. */
class KilledClientTest {

    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);
    private final DSLContext dsl = db.open().dsl();

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @Test
    void leavesEverythingAsItWasAndNothingHeld() throws Exception {
        new OutboxProducer().append(dsl, NewEvent.of(1, 1, "message", "{}"));
        new EffectProducer().enqueue(dsl, NewEffect.of("repo", "{}"));
        QueueContents before = QueueContents.of(dsl);
        Process client = JavaProcess.of(ClientInTheMiddle.class, TestServer.urlOf(db.dataSource()))
                .start();
        ProcessLog said = ProcessLog.of(client);
        assertThat(said.awaitLine(ClientInTheMiddle.SAYS, 0)).as(said::toString).isTrue();
        assertThat(new OutboxConsumer().claim(dsl, ClaimRequest.by("worker")).isIdle())
                .as("it holds the lane")
                .isTrue();

        client.destroyForcibly().waitFor();
        awaitEndOfItsTransaction();

        assertThat(QueueContents.of(dsl)).isEqualTo(before);
        assertThat(new OutboxConsumer().claim(dsl, ClaimRequest.by("worker")).events())
                .hasSize(1);
        assertThat(new EffectConsumer().dispatch(dsl, DispatchRequest.by("worker")))
                .hasSize(1);
    }

    private void awaitEndOfItsTransaction() {
        Session session = db.begin(Isolation.READ_COMMITTED);
        session.dsl().execute("lock table {0}, {1} in access exclusive mode", DISPATCH_OUTBOX, EFFECT_QUEUE);
        session.rollback();
    }
}
