package io.lanequeue.effects;

import io.lanequeue.CallAgainException;
import io.lanequeue.internal.Database;
import io.lanequeue.schema.InvalidInputException;
import java.util.List;
import org.jooq.DSLContext;

/**
 * Enqueues effects. Stateless and thread-safe.
 *
 * <p>An effect can be claimed when the caller's transaction has committed, and not before.
 *
 * <p><b>Locks.</b> Per repository, ascending: {@code KEY SHARE} on its head, or the head is added; and on an effect
 * that already waits under the same dedupe key, {@code NO KEY UPDATE}. Held until the transaction ends.
 *
 * <p><b>Concurrency.</b> An open enqueue blocks no claim and no completion, and waits for none; an effect that stands
 * under its dedupe key is left out of claims meanwhile, and one that is put back under the key waits for it. It waits
 * for an open transaction that adds or removes the same repository's head, and for an open {@link EffectAudit#repair}.
 * With a dedupe key it also waits for one that enqueues the key or puts an effect of the key back, for one that has
 * claimed, cancelled or deleted the effect that waits under it, and for a claim that has looked at that effect (up to
 * 16 more than it takes) or found it due. Two transactions that add the same new repositories, or the same keys, in
 * opposite order deadlock ({@link CallAgainException}), and so may one that adds keys with one that puts effects of
 * these keys back. One call sorts repositories, not keys: give keys in one order.
 *
 * <p><b>Isolation.</b> Any. Above READ COMMITTED, {@link CallAgainException} where the repository's head was added or
 * removed, or its dedupe key enqueued or put back, since the transaction's snapshot.
 */
public final class EffectProducer {

    /**
     * Enqueues one effect.
     *
     * @return its id, or that of the effect that waits under the same dedupe key
     * @throws CallAgainException on a deadlock or a serialization failure
     */
    public Enqueued enqueue(DSLContext dsl, NewEffect effect) {
        return enqueueAll(dsl, List.of(effect)).get(0);
    }

    /**
     * Enqueues effects in one statement. Of several with the same repository and dedupe key the first is added and
     * stands for the others.
     *
     * @return what became of each, in the order of the list; nothing for an empty list, which sends nothing
     * @throws CallAgainException on a deadlock or a serialization failure
     * @throws InvalidInputException if an effect cannot be stored
     */
    public List<Enqueued> enqueueAll(DSLContext dsl, List<NewEffect> effects) {
        if (effects.isEmpty()) {
            return List.of();
        }
        return Database.call(() -> EnqueueStatement.enqueue(dsl, effects));
    }
}
