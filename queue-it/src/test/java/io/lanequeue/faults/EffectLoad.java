package io.lanequeue.faults;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;

import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectClaim;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.EffectRetry;
import io.lanequeue.effects.EffectUpkeep;
import io.lanequeue.effects.Enqueued;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.faults.EffectLedger.Answer;
import io.lanequeue.schema.EffectState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jooq.DSLContext;

/** Enqueues and runs effects, and goes on whatever happens to the server. */
final class EffectLoad implements Load {

    static final int CAP = 3;

    private static final int REPOS = 20;

    private final EffectProducer producer = new EffectProducer();
    private final EffectConsumer consumer = new EffectConsumer();
    private final EffectUpkeep upkeep = new EffectUpkeep();
    private final EffectLedger ledger;

    EffectLoad(EffectLedger ledger) {
        this.ledger = ledger;
    }

    @Override
    public void produce(Client client, int number, Progress progress) {
        var random = new Random(number);
        int sent = 0;
        while (progress.isProducing()) {
            List<NewEffect> effects = new ArrayList<>();
            for (int i = random.nextInt(5); i >= 0; i--) {
                NewEffect effect = NewEffect.of("repo " + random.nextInt(REPOS), number + "-" + sent++);
                effects.add(
                        switch (random.nextInt(4)) {
                            case 0 -> effect.withDedupeKey("key");
                            case 1 -> effect.withDelay(Duration.ofMillis(random.nextInt(20)));
                            default -> effect;
                        });
            }
            client.transaction(dsl -> enqueue(dsl, effects), ledger);
        }
    }

    private List<Answer> enqueue(DSLContext dsl, List<NewEffect> effects) {
        List<Enqueued> enqueued = producer.enqueueAll(dsl, effects);
        return IntStream.range(0, effects.size())
                .mapToObj(i -> new Answer(effects.get(i), enqueued.get(i)))
                .toList();
    }

    @Override
    public void consume(Client client, int number, Progress progress) {
        var random = new Random(number);
        DispatchRequest request =
                DispatchRequest.by("dispatcher-" + number).withLimit(20).withCap(CAP);
        while (progress.isProducing() || client.call(EffectLoad::isOpen)) {
            List<EffectClaim> done = new ArrayList<>();
            List<EffectClaim> untried = new ArrayList<>();
            List<EffectRetry> failed = new ArrayList<>();
            for (ClaimedEffect effect : client.call(dsl -> consumer.dispatch(dsl, request))) {
                switch (random.nextInt(20)) {
                    case 0 -> {} // left behind, as by a worker that dies
                    case 1 -> untried.add(effect.claim());
                    case 2 -> {
                        run(effect, progress);
                        failed.add(new EffectRetry(effect.claim(), Duration.ofMillis(5), "failed"));
                    }
                    default -> {
                        run(effect, progress);
                        done.add(effect.claim());
                    }
                }
            }
            client.call(dsl -> consumer.complete(dsl, done));
            client.call(dsl -> consumer.release(dsl, untried));
            client.call(dsl -> consumer.retry(dsl, failed));
            client.call(dsl -> upkeep.requeueStale(dsl, Duration.ofMillis(500), Integer.MAX_VALUE, 100));
        }
    }

    private void run(ClaimedEffect effect, Progress progress) {
        ledger.handled(effect.claim().effect());
        progress.handled(1);
    }

    private static boolean isOpen(DSLContext dsl) {
        return dsl.fetchExists(EFFECT_QUEUE, EFFECT_QUEUE.STATE.ne(EffectState.DONE));
    }
}
