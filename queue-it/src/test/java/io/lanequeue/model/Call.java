package io.lanequeue.model;

import java.util.Set;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A call of the queue, and how the model explains its result.
 *
 * @param statement the call itself
 * @param explanation of the result
 * @param waitsFor the rows of others that it may wait for; null for any
 */
public record Call<M, R>(
        Function<DSLContext, R> statement,
        Explanation<M, R> explanation,
        @Nullable Set<?> waitsFor) {

    /** A call that may wait for anything. */
    public static <M, R> Call<M, R> of(Function<DSLContext, R> statement, Explanation<M, R> explanation) {
        return new Call<>(statement, explanation, null);
    }

    /** A call that waits for nothing but these rows. */
    public Call<M, R> waitingOnlyFor(Set<?> rows) {
        return new Call<>(statement, explanation, rows);
    }

    /** What a result means. */
    public interface Explanation<M, R> {

        /**
         * The change that the result stands for.
         *
         * @param now what the actor sees when the call has ended
         * @throws Violation if the result is not what the model allows
         */
        Change<M> explain(R result, View<M> now);
    }
}
