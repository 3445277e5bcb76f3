package io.lanequeue.faults;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.EffectAudit;
import io.lanequeue.outbox.OutboxAudit;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server with durable settings is killed and started again while both queues are under full load; producers and
 * workers connect again and go on.
 */
class KilledServerTest {

    private static final int PRODUCERS = 2;
    private static final int CONSUMERS = 3;
    private static final int EVENTS_BETWEEN = 1_000;
    private static final int EFFECTS_BETWEEN = 500;

    private final LaneLedger lanes = new LaneLedger();
    private final EffectLedger effects = new EffectLedger();
    private final Sampler sampler = new Sampler(EffectLoad.CAP);
    private final AtomicInteger lostConnections = new AtomicInteger();

    @Test
    void nothingIsLostWhenTheServerIsKilledUnderLoad(@TempDir Path directory) throws Exception {
        survives(2, directory);
    }

    @Test
    @Tag("long")
    void nothingIsLostHoweverOftenTheServerIsKilled(@TempDir Path directory) throws Exception {
        survives(Integer.getInteger("lanequeue.faults.kills", 50), directory);
    }

    /** Each time all its processes at once, and then a single one. */
    private void survives(int kills, Path directory) throws Exception {
        try (var server = KillableServer.create(directory);
                var outbox = RunningLoad.start(new OutboxLoad(lanes), PRODUCERS, CONSUMERS, () -> client(server));
                var queue = RunningLoad.start(new EffectLoad(effects), PRODUCERS, CONSUMERS, () -> client(server));
                Client looking = client(server)) {
            Runnable untilHandled = () -> {
                outbox.lookUntilHandled(EVENTS_BETWEEN, () -> looking.run(sampler::look));
                queue.lookUntilHandled(EFFECTS_BETWEEN, () -> looking.run(sampler::look));
            };
            for (int i = 0; i < kills; i++) {
                untilHandled.run();
                server.killAndRestart(sampler::look);
                untilHandled.run();
                server.killOneSession(sampler::look);
            }
            untilHandled.run();
            outbox.finish();
            queue.finish();
            System.out.println("Killed server: " + kills + " times all processes, " + kills + " times one, "
                    + lostConnections + " connections lost; " + lanes + "; " + effects + "; " + sampler);
            looking.run(this::assertThatNothingIsWrong);
        }
    }

    private Client client(KillableServer server) {
        return new Client(server, lostConnections);
    }

    private void assertThatNothingIsWrong(DSLContext dsl) {
        assertThat(lanes.violations(
                        dsl.select(DISPATCH_OUTBOX.ID).from(DISPATCH_OUTBOX).fetch(DISPATCH_OUTBOX.ID)))
                .isEmpty();
        assertThat(effects.violations(dsl)).isEmpty();
        assertThat(sampler.violations()).isEmpty();
        assertThat(new OutboxAudit().disagreements(dsl, 10)).isEmpty();
        assertThat(new EffectAudit().disagreements(dsl, 10)).isEmpty();
    }
}
