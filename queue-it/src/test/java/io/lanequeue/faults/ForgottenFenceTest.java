package io.lanequeue.faults;

import static io.lanequeue.schema.jooq.Sequences.DISPATCH_OUTBOX_LEASE_SEQ;
import static io.lanequeue.schema.jooq.Sequences.EFFECT_QUEUE_CLAIM_SEQ;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.devdb.DurablePostgres;
import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.EffectReport;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.LaneReport;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Wiring;
import java.nio.file.Path;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Sequence;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that is killed forgets what its sequences gave to transactions that were not committed, and gives it again;
 * so does a standby that takes over with a part of the log. The fence of a claim that was forgotten fits no later one.
 */
class ForgottenFenceTest {

    private final OutboxConsumer consumer = new OutboxConsumer();
    private final EffectConsumer effectConsumer = new EffectConsumer();

    // Taken out: the random part of Fence: both reports of the first worker take effect on what the second one holds.
    @Test
    void aWorkerWhoseClaimWasForgottenIsTold(@TempDir Path directory) {
        // Otherwise it may have written what the transaction did before it is killed.
        try (DurablePostgres server = DurablePostgres.create(directory, "wal_writer_delay=10s")) {
            server.start();
            QueueDatabase db = QueueDatabase.createIn(server.dataSource(), Wiring.STANDARD);
            DSLContext dsl = db.open().dsl();
            new OutboxProducer().append(dsl, NewEvent.of(1, 1, "message", "{}"));
            new EffectProducer().enqueue(dsl, NewEffect.of("repo", "{}"));
            long lease = useUpWhatIsLogged(dsl, DISPATCH_OUTBOX_LEASE_SEQ);
            long claim = useUpWhatIsLogged(dsl, EFFECT_QUEUE_CLAIM_SEQ);
            Session first = db.begin(Isolation.READ_COMMITTED);
            Claim forgottenLanes = claim(first.dsl());
            List<ClaimedEffect> forgottenEffects = dispatch(first.dsl());

            server.kill();
            server.start();
            db.closeSessions();
            DSLContext second = db.open().dsl();
            assertThat(lastValue(second, DISPATCH_OUTBOX_LEASE_SEQ)).isEqualTo(lease);
            assertThat(lastValue(second, EFFECT_QUEUE_CLAIM_SEQ)).isEqualTo(claim);
            Claim lanes = claim(second);
            List<ClaimedEffect> effects = dispatch(second);

            assertThat(consumer.complete(second, forgottenLanes))
                    .extracting(LaneReport::status)
                    .containsExactly(LaneReport.Status.LEASE_LOST);
            assertThat(complete(second, forgottenEffects)).containsExactly(EffectReport.Status.CLAIM_LOST);
            assertThat(consumer.complete(second, lanes))
                    .extracting(LaneReport::status)
                    .containsExactly(LaneReport.Status.FINISHED);
            assertThat(complete(second, effects)).containsExactly(EffectReport.Status.APPLIED);
            db.closeSessions();
        }
    }

    /** A sequence logs some numbers ahead. Takes numbers until none of those is left; the last one. */
    private static long useUpWhatIsLogged(DSLContext dsl, Sequence<Long> sequence) {
        do {
            dsl.nextval(sequence);
        } while (dsl.fetchSingle("select log_cnt from {0}", sequence).get(0, int.class) > 0);
        return lastValue(dsl, sequence);
    }

    private static long lastValue(DSLContext dsl, Sequence<Long> sequence) {
        return dsl.fetchSingle("select last_value from {0}", sequence).get(0, long.class);
    }

    private Claim claim(DSLContext dsl) {
        return consumer.claim(dsl, ClaimRequest.by("worker"));
    }

    private List<ClaimedEffect> dispatch(DSLContext dsl) {
        return effectConsumer.dispatch(dsl, DispatchRequest.by("dispatcher"));
    }

    private List<EffectReport.Status> complete(DSLContext dsl, List<ClaimedEffect> effects) {
        return effectConsumer
                .complete(dsl, effects.stream().map(ClaimedEffect::claim).toList())
                .stream()
                .map(EffectReport::status)
                .toList();
    }
}
