package io.lanequeue.worker;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;

import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.LanequeueSchema;
import java.time.Duration;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Works on the effect queue: claims effects across all repositories, hands them to an {@link EffectHandler}, reports
 * what became of them, and does so until it is stopped. Any number of workers, in any number of processes, share the
 * effects. Thread-safe.
 *
 * <p>Never more than {@link DispatchRequest#limit()} effects are in hand at once, and none is claimed before there is a
 * handler's turn free for it. Caps and exclusions are those of the request; a cap holds over all workers that name it.
 *
 * <p>A claim is extended, well before it is stale, as long as the handler runs, up to the time limit. When a claim is
 * lost, or may be, the handler is interrupted and {@link Attempt#cancellation()} says so. A handler that returns all
 * the same is reported, and that counts if its claim was not taken back. Only what the database has called lost is not
 * reported.
 *
 * <p><b>Upkeep.</b> The workers do it among themselves, once, however many there are: claims that were not extended for
 * too long go back, so that the effects of a worker that died are done by others, and what ended long ago is deleted.
 * Give all workers of a queue the same {@link Builder#withStaleAfter}: one that is less patient takes the effects of
 * the others.
 *
 * <p><b>Threads and transactions</b> as for {@link OutboxWorker}.
 */
public final class EffectWorker implements AutoCloseable {

    private static final Duration CLOSING = Duration.ofSeconds(30);

    private final Coordinator<HeldEffect> coordinator;
    private final @Nullable Listener listener;

    private EffectWorker(Coordinator<HeldEffect> coordinator, @Nullable Listener listener) {
        this.coordinator = coordinator;
        this.listener = listener;
    }

    /**
     * A worker in preparation.
     *
     * @param dsl a context on a {@code DataSource} or pool, with the schema's settings
     * @param request the worker's name, how many effects at once, cap and exclusions
     * @throws InvalidInputException for a context on one connection, whose transaction would be yours
     */
    public static Builder on(DSLContext dsl, DispatchRequest request) {
        return new Builder(Transactions.on(dsl), request, UpkeepPlan.standard(), WorkerOptions.standard());
    }

    /** As {@link #on(DSLContext, DispatchRequest)}, without a context. */
    public static Builder on(DataSource dataSource, LanequeueSchema schema, DispatchRequest request) {
        return new Builder(
                Transactions.on(dataSource, schema), request, UpkeepPlan.standard(), WorkerOptions.standard());
    }

    /**
     * Lets the worker look for effects now, instead of after its present pause: for an application that knows when it
     * has enqueued. Returns at once.
     */
    public void wake() {
        coordinator.lookNow();
    }

    /**
     * Stops, and returns when all is given back, at the latest after the deadline. Nothing is claimed any more;
     * handlers that run may end, and those that still run when four fifths of the time are over are interrupted. May be
     * called again, also by several threads: the first deadline stands. Not for a handler, which would wait for itself.
     *
     * @param deadline 0 to 30 days
     * @return what became of the effects in hand; if the calling thread is interrupted, or its deadline is over before
     *     that of an earlier call, what became of them until then
     * @throws InvalidInputException if the deadline is out of range
     */
    public StopReport stop(Duration deadline) {
        StopReport report = coordinator.stop(deadline);
        leave();
        return report;
    }

    private void leave() {
        if (listener != null) {
            listener.close();
        }
    }

    /** {@link #stop} within 30 seconds. */
    @Override
    public void close() {
        stop(CLOSING);
    }

    /** The coordinator last: where a start fails nobody gets the worker, to stop it. */
    private EffectWorker started(String name) {
        try {
            if (listener != null) {
                listener.start(name);
            }
            coordinator.start();
            return this;
        } catch (RuntimeException | Error e) { // no thread can be made, say
            leave();
            throw e;
        }
    }

    /**
     * A worker in preparation. Immutable. Unless told otherwise:
     *
     * <ul>
     *   <li>an idle worker looks every second,
     *   <li>a handler may take ten minutes,
     *   <li>failures are tried again by {@link RetryPolicy#standard()},
     *   <li>claims are stale after five minutes,
     *   <li>done effects are kept for seven days, failed ones for ever.
     * </ul>
     */
    public static final class Builder {

        private final Transactions transactions;
        private final DispatchRequest request;
        private final UpkeepPlan plan;
        private final WorkerOptions options;

        private Builder(Transactions transactions, DispatchRequest request, UpkeepPlan plan, WorkerOptions options) {
            this.transactions = transactions;
            this.request = request;
            this.plan = plan;
            this.options = options;
        }

        /**
         * How long an idle worker waits at most until it looks again, 1 millisecond to 30 days. Its pauses begin with a
         * 32nd of that, of a second at most, and double: it looks again after twice the time for which it has been
         * idle, besides that first pause, or sooner. Once it has been idle for a few looks it also looks, by the
         * database's clock, when a scheduled effect will be due. A worker whose turns are all taken, or whose database
         * does not answer, looks when that is over.
         */
        public Builder withPollInterval(Duration interval) {
            return new Builder(transactions, request, plan, options.withPollInterval(interval));
        }

        /**
         * How long a handler may take, or the executor to begin with it, 1 millisecond to 30 days. After that, by a
         * third of the time in which claims are stale at most, it is interrupted and its claim is no longer extended.
         * If it then throws, the effect has failed; if it returns, the effect is done. Either counts if the claim was
         * not taken back by then. An effect with which the executor has not begun is given back, not tried.
         */
        public Builder withTimeLimit(Duration limit) {
            return new Builder(transactions, request, plan, options.withTimeLimit(limit));
        }

        /** When what failed is tried again, and how often. */
        public Builder withRetryPolicy(RetryPolicy policy) {
            return new Builder(transactions, request, plan, options.withRetryPolicy(policy));
        }

        /** Who is told what the worker does. */
        public Builder withEvents(WorkerEvents listener) {
            return new Builder(transactions, request, plan, options.withEvents(listener));
        }

        /**
         * When a claim that was not extended is taken back, whichever worker's it is, 10 milliseconds to 30 days.
         * Workers extend theirs after a third of this time.
         */
        public Builder withStaleAfter(Duration age) {
            return new Builder(transactions, request, plan.withStaleAfter(age), options);
        }

        /** How long done effects are kept, 0 to 3650 days. */
        public Builder withKeepDone(Duration age) {
            return new Builder(transactions, request, plan.withKeepDone(age), options);
        }

        /** How long effects that failed for good are kept, 0 to 3650 days. */
        public Builder withKeepFailed(Duration age) {
            return new Builder(transactions, request, plan.withKeepFailed(age), options);
        }

        /**
         * Lets the worker be woken by the notifications of {@link LanequeueSchema#migrateNotifications}, which has to
         * have run, besides its looks. It then may look more rarely.
         *
         * @param direct connections that lead to the server itself, not by way of a pool in transaction mode; the
         *     worker takes one of them for good
         */
        public Builder withNotifications(DataSource direct, LanequeueSchema schema) {
            return new Builder(
                    transactions, request, plan, options.withNotifications(new Notifications(direct, schema)));
        }

        /** Starts the worker. */
        public EffectWorker start(Executor executor, EffectHandler handler) {
            return start(executor, handler, new SystemTiming());
        }

        EffectWorker start(Executor executor, EffectHandler handler, Timing timing) {
            RetryPolicy policy = options.retryPolicy();
            var audience = new Audience(options.events());
            var call = new HandlerCall(timing, audience);
            var effects =
                    new Effects(request, plan.staleAfter(), effect -> new HeldEffect(effect, handler, policy, call));
            var hands = new Hands<HeldEffect>(request.limit(), executor, timing);
            var upkeep = new Upkeep(plan, policy.maxAttempts(), transactions, audience);
            var coordinator =
                    new Coordinator<>(request.claimant(), effects, transactions, hands, upkeep, options, timing);
            Notifications notifications = options.notifications();
            Listener listener =
                    notifications == null ? null : notifications.listener(EFFECT_QUEUE.getName(), coordinator::lookNow);
            return new EffectWorker(coordinator, listener).started(request.claimant());
        }
    }
}
