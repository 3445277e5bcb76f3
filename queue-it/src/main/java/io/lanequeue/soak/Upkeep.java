package io.lanequeue.soak;

import io.lanequeue.effects.EffectClaim;
import io.lanequeue.effects.EffectUpkeep;
import io.lanequeue.effects.StaleReport;
import io.lanequeue.outbox.OutboxOperator;
import io.lanequeue.schema.EffectId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Takes effects back from silent workers, and forgets what is long over. */
final class Upkeep {

    private static final long BETWEEN_ROUNDS_MILLIS = 500;
    private static final Duration KEPT = Duration.ofSeconds(3);

    private final EffectUpkeep effects = new EffectUpkeep();
    private final OutboxOperator outbox = new OutboxOperator();
    private final Client client;
    private final Witness witness;
    private final DoneEffects doneEffects;
    private final Books books;
    private final CountDownLatch stop;

    Upkeep(Client client, Witness witness, Books books, CountDownLatch stop) {
        this.client = client;
        this.witness = witness;
        this.doneEffects = new DoneEffects(books.effects());
        this.books = books;
        this.stop = stop;
    }

    /** Works until stopped. */
    Void work() throws InterruptedException {
        while (!stop.await(BETWEEN_ROUNDS_MILLIS, TimeUnit.MILLISECONDS)) {
            requeueStale();
            prune();
            client.call(dsl -> outbox.purgeDeadLetters(dsl, KEPT, OutboxOperator.MAX_BATCH));
        }
        return null;
    }

    /** What a worker holds ends in the ledger before it ends in the database. */
    private void requeueStale() throws InterruptedException {
        Optional<Requeue> requeue = witness.commit(Isolation.READ_COMMITTED, transaction -> {
            StaleReport report =
                    effects.requeueStale(transaction, Plan.STALE, Integer.MAX_VALUE, EffectUpkeep.MAX_BATCH);
            List<EffectId> taken = new ArrayList<>(report.requeued());
            taken.addAll(report.superseded());
            return new Requeue(report, books.effects().taking(taken, NewestClaim.of(transaction)));
        });
        if (requeue.isPresent()) {
            books.effects().taken(requeue.get().lost);
            books.effects().superseded(requeue.get().report.superseded());
            books.happenings()
                    .add(Happening.EFFECT_REQUEUED, requeue.get().report.taken());
        }
    }

    /** One snapshot for the look and the prune: what goes has been looked at. */
    private void prune() {
        client.call(dsl -> dsl.transactionResult(transaction -> {
                    transaction.dsl().execute("set transaction isolation level repeatable read");
                    doneEffects.check(transaction.dsl());
                    return effects.pruneDone(transaction.dsl(), KEPT, EffectUpkeep.MAX_BATCH);
                }))
                .ifPresent(pruned -> books.happenings().add(Happening.EFFECT_PRUNED, pruned));
    }

    /** @param lost the claims that ended with it */
    private record Requeue(StaleReport report, List<EffectClaim> lost) {}
}
