package io.lanequeue.model;

import io.lanequeue.testing.Isolation;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the model says to one actor at one moment.
 *
 * @param model what the actor's transaction sees
 * @param latest what a new transaction would see, with what this one changed
 * @param isolation of that transaction; null in autocommit
 * @param mine rows that it may hold
 * @param others rows that open transactions of others may hold
 * @param isSure false while a call of another actor waits, which may hold rows that nobody knows of; and where this
 *     actor's own call has waited, for then it saw some rows as they were before and others as they are now
 */
public record View<M>(
        M model, M latest, @Nullable Isolation isolation, Set<Object> mine, Set<Object> others, boolean isSure) {

    public boolean isAutocommit() {
        return isolation == null;
    }

    public boolean isReadCommitted() {
        return isolation == null || isolation == Isolation.READ_COMMITTED;
    }

    /** Whether it is certain that nobody else holds the row. */
    public boolean isFree(Object row) {
        return isSure && !others.contains(row);
    }

    View<M> unsure() {
        return new View<>(model, latest, isolation, mine, others, false);
    }
}
