package io.lanequeue.demo;

import static io.lanequeue.demo.EffectTables.EFFECT;
import static io.lanequeue.demo.EffectTables.EFFECTS;
import static io.lanequeue.demo.EffectTables.EFFECT_REPO;

import io.lanequeue.command.Again;
import io.lanequeue.command.Session;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.Enqueued;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.schema.RepoId;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jooq.DSLContext;

/**
 * Who enqueues: a backlog for one repository, and then now and then a few effects for the small ones, for some of them
 * much more often than for others. With the effects goes a row each of the demo's own, in the same transaction.
 */
final class EffectLoad {

    static final RepoId MONOREPO = new RepoId("monorepo");

    private static final int BACKLOG_BATCH = 1_000;
    private static final int MAX_FEW = 5;
    private static final int BURST = 60;
    private static final int BURSTS_PER_THOUSAND = 5;
    private static final long PAUSE_MILLIS = 5;

    /** How uneven: with 3, the first tenth of the repositories gets almost half of the effects. */
    private static final int UNEVENNESS = 3;

    private final EffectProducer producer = new EffectProducer();
    private final Random random = new Random(1);
    private final DemoDatabase database;
    private final EffectTally tally;
    private final int smallRepositories;

    EffectLoad(DemoDatabase database, EffectTally tally, int smallRepositories) {
        this.database = database;
        this.tally = tally;
        this.smallRepositories = smallRepositories;
    }

    /** Enqueues the backlog. */
    void enqueueBacklog(DSLContext dsl, int effects) {
        for (int left = effects; left > 0; left -= BACKLOG_BATCH) {
            enqueue(dsl, MONOREPO, Math.min(left, BACKLOG_BATCH));
        }
    }

    /** Enqueues for the small repositories until stopped; once for each of them at first. */
    Void enqueueNowAndThen(CountDownLatch stop) throws InterruptedException {
        try (Session session = database.connect()) {
            for (int repository = 1; repository <= smallRepositories; repository++) {
                enqueue(session.dsl(), small(repository), 1);
            }
            while (!stop.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                int repository = 1 + (int) (smallRepositories * Math.pow(random.nextDouble(), UNEVENNESS));
                boolean burst = random.nextInt(1_000) < BURSTS_PER_THOUSAND;
                enqueue(session.dsl(), small(repository), burst ? BURST : 1 + random.nextInt(MAX_FEW));
            }
        }
        return null;
    }

    private static RepoId small(int number) {
        return new RepoId(String.format(Locale.ROOT, "repo-%03d", number));
    }

    private void enqueue(DSLContext dsl, RepoId repo, int number) {
        List<NewEffect> effects = IntStream.range(0, number)
                .mapToObj(i -> NewEffect.of(repo.value(), "{\"job\": \"reindex\", \"part\": " + i + "}"))
                .toList();
        Again.call(() -> dsl.transactionResult(transaction -> {
            DSLContext inside = transaction.dsl();
            List<Enqueued> enqueued = producer.enqueueAll(inside, effects);
            var rows =
                    inside.batch(inside.insertInto(EFFECTS, EFFECT, EFFECT_REPO).values(null, (RepoId) null));
            enqueued.forEach(effect -> rows.bind(effect.id(), repo));
            return rows.execute();
        }));
        tally.enqueued().addAndGet(number);
    }
}
