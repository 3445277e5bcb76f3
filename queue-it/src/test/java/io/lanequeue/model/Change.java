package io.lanequeue.model;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a call did, as far as its transaction is concerned: it counts for others once that commits.
 *
 * @param held the rows it may hold until its transaction ends
 * @param effect what it changes in the model
 */
public record Change<M>(Set<?> held, Consumer<M> effect) {

    /** Nothing changed, nothing is held. */
    public static <M> Change<M> none() {
        return holding(Set.of());
    }

    /** Nothing changed, but rows are held. */
    public static <M> Change<M> holding(Set<?> rows) {
        return new Change<>(rows, model -> {});
    }

    /** Both of them, this one first. */
    public Change<M> and(Change<M> other) {
        Set<Object> both = new HashSet<>(held);
        both.addAll(other.held);
        return new Change<>(both, effect.andThen(other.effect));
    }
}
