package io.lanequeue.soak;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.jooq.impl.DSL.rand;
import static org.jooq.impl.DSL.select;

import io.lanequeue.effects.EffectClaim;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.EventId;
import java.util.List;
import java.util.Optional;

/** Another program that deletes a few waiting events or effects, whoever holds them. */
final class PlainDelete {

    private static final int FEW = 3;

    private final Witness witness;
    private final Books books;

    PlainDelete(Witness witness, Books books) {
        this.witness = witness;
        this.books = books;
    }

    boolean ofEvents() throws InterruptedException {
        Optional<List<EventId>> deleted = witness.commit(
                Isolation.READ_COMMITTED,
                transaction -> transaction
                        .deleteFrom(DISPATCH_OUTBOX)
                        .where(DISPATCH_OUTBOX.ID.in(select(DISPATCH_OUTBOX.ID)
                                .from(DISPATCH_OUTBOX)
                                .orderBy(rand())
                                .limit(FEW)))
                        .returningResult(DISPATCH_OUTBOX.ID)
                        .fetch(DISPATCH_OUTBOX.ID));
        deleted.ifPresent(events -> {
            books.events().removed(events);
            books.happenings().add(Happening.EVENT_REMOVED, events.size());
        });
        return deleted.filter(events -> !events.isEmpty()).isPresent();
    }

    /** What a worker holds ends in the ledger before it ends in the database. */
    boolean ofEffects() throws InterruptedException {
        Optional<Deletion> deletion = witness.commit(Isolation.READ_COMMITTED, transaction -> {
            List<EffectId> deleted = transaction
                    .deleteFrom(EFFECT_QUEUE)
                    .where(EFFECT_QUEUE.ID.in(select(EFFECT_QUEUE.ID)
                            .from(EFFECT_QUEUE)
                            .where(EFFECT_QUEUE.STATE.in(
                                    EffectState.SCHEDULED, EffectState.ENQUEUED, EffectState.CLAIMED))
                            .orderBy(rand())
                            .limit(FEW)))
                    .returningResult(EFFECT_QUEUE.ID)
                    .fetch(EFFECT_QUEUE.ID);
            return new Deletion(deleted, books.effects().taking(deleted, NewestClaim.of(transaction)));
        });
        deletion.ifPresent(committed -> {
            books.effects().taken(committed.lost);
            books.effects().removed(committed.deleted);
            books.happenings().add(Happening.EFFECT_REMOVED, committed.deleted.size());
        });
        return deletion.filter(committed -> !committed.deleted.isEmpty()).isPresent();
    }

    /** @param lost the claims that ended with it */
    private record Deletion(List<EffectId> deleted, List<EffectClaim> lost) {}
}
