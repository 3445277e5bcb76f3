package io.lanequeue.worker;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;

import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.ClaimWindow;
import io.lanequeue.outbox.LogicalShards;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.LanequeueSchema;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the events of the outbox: claims lanes, hands their events to an {@link EventHandler}, reports what became
 * of them, and does so until it is stopped. Any number of workers, in any number of processes, share the lanes.
 * Thread-safe.
 *
 * <p>The events of a lane are handled one after the other, in order; several lanes at once, never more than
 * {@link ClaimRequest#lanes()}, and no lane is claimed before there is a handler's turn free for it. Where an event
 * fails, what was delivered before it is recorded, and the lane waits for the event's next attempt, or is blocked after
 * the last one.
 *
 * <p>A lease is extended, well before its end, as long as the handler runs, up to the time limit. When a lease is lost,
 * or may be, the handler is interrupted and {@link Attempt#cancellation()} says so; the next holder delivers the lane,
 * perhaps while this handler still runs. A handler that returns all the same is reported, and that counts if nobody has
 * claimed the lane since. Only what the database has called lost is not reported.
 *
 * <p><b>Threads.</b> One of the worker's own, named after it, which alone claims and reports, and keeps the JVM running
 * until the worker is stopped; notifications and shared shards add a thread and a connection each. And those of the
 * caller's {@link Executor}, which alone run handlers. It must run tasks on other threads than the one that hands them
 * over, and should run as many at once as there are lanes in a claim: a pool of so many threads, or one virtual thread
 * per task. It is not shut down here.
 *
 * <p><b>Transactions.</b> Unlike the statements of {@code io.lanequeue.outbox}, a worker begins and commits
 * transactions. Each is short, for one statement or few, on a connection that it takes from the given source and gives
 * back; there is one at a time. None is open while a handler runs.
 *
 * <p>When the database goes away the worker says so once, tries until it is back, and goes on.
 */
public final class OutboxWorker implements AutoCloseable {

    private static final Duration CLOSING = Duration.ofSeconds(30);

    private final Coordinator<HeldLane> coordinator;
    private final @Nullable Listener listener;
    private final @Nullable Membership membership;

    private OutboxWorker(
            Coordinator<HeldLane> coordinator, @Nullable Listener listener, @Nullable Membership membership) {
        this.coordinator = coordinator;
        this.listener = listener;
        this.membership = membership;
    }

    /**
     * A worker in preparation.
     *
     * @param dsl a context on a {@code DataSource} or pool, with the schema's settings
     * @param request the worker's name, how many lanes at once, how many events of each, the lease, the shards
     * @throws InvalidInputException for a context on one connection, whose transaction would be yours
     */
    public static Builder on(DSLContext dsl, ClaimRequest request) {
        return new Builder(Transactions.on(dsl), request, WorkerOptions.standard(), null);
    }

    /** As {@link #on(DSLContext, ClaimRequest)}, without a context. */
    public static Builder on(DataSource dataSource, LanequeueSchema schema, ClaimRequest request) {
        return new Builder(Transactions.on(dataSource, schema), request, WorkerOptions.standard(), null);
    }

    /**
     * Lets the worker look for due lanes now, instead of after its present pause: for an application that knows when it
     * has appended. Returns at once.
     */
    public void wake() {
        coordinator.lookNow();
    }

    /**
     * Stops, and returns when all is given back, at the latest after the deadline. No lane is claimed any more; each
     * lane's present event is finished, and what is behind it is given back. Handlers that still run when four fifths
     * of the time are over are interrupted. May be called again, also by several threads: the first deadline stands.
     * Not for a handler, which would wait for itself.
     *
     * @param deadline 0 to 30 days
     * @return what became of the lanes in hand; if the calling thread is interrupted, or its deadline is over before
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
        if (membership != null) {
            membership.close();
        }
    }

    /** {@link #stop} within 30 seconds. */
    @Override
    public void close() {
        stop(CLOSING);
    }

    /** The coordinator last: where a start fails nobody gets the worker, to stop it. */
    private OutboxWorker started(String name) {
        try {
            if (membership != null) {
                membership.start(coordinator::isClaiming, coordinator::lookNow);
            }
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
     *   <li>a handler may take ten minutes for an event,
     *   <li>failures are tried again by {@link RetryPolicy#standard()}.
     * </ul>
     */
    public static final class Builder {

        private final Transactions transactions;
        private final ClaimRequest request;
        private final WorkerOptions options;
        private final @Nullable ShardGroup group;

        private Builder(
                Transactions transactions, ClaimRequest request, WorkerOptions options, @Nullable ShardGroup group) {
            this.transactions = transactions;
            this.request = request;
            this.options = options;
            this.group = group;
        }

        /**
         * How long an idle worker waits at most until it looks again, 1 millisecond to 30 days. Its pauses begin with a
         * 32nd of that, of a second at most, and double: it looks again after twice the time for which it has been
         * idle, besides that first pause, or sooner. Once it has been idle for a few looks it also looks, by the
         * database's clock, when a retry or another's lease will be due. A worker whose turns are all taken, or whose
         * database does not answer, looks when that is over.
         */
        public Builder withPollInterval(Duration interval) {
            return new Builder(transactions, request, options.withPollInterval(interval), group);
        }

        /**
         * How long a handler may take for one event, or the executor to begin with a lane, 1 millisecond to 30 days.
         * After that, by a third of the lease at most, it is interrupted and the lease is no longer extended. If it
         * then throws, the event has failed; if it returns, the event is delivered. Either counts if nobody else has
         * claimed the lane by then. A lane with which the executor has not begun is given back, not tried.
         */
        public Builder withTimeLimit(Duration limit) {
            return new Builder(transactions, request, options.withTimeLimit(limit), group);
        }

        /** When what failed is tried again, and how often. */
        public Builder withRetryPolicy(RetryPolicy policy) {
            return new Builder(transactions, request, options.withRetryPolicy(policy), group);
        }

        /** Who is told what the worker does. */
        public Builder withEvents(WorkerEvents listener) {
            return new Builder(transactions, request, options.withEvents(listener), group);
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
                    transactions, request, options.withNotifications(new Notifications(direct, schema)), group);
        }

        /**
         * Splits all shards among the workers of a group, again whenever one comes or goes, so that they do not claim
         * in each other's way. Give all of them the same group and no shards of their own.
         *
         * <p>A member is who holds an advisory lock; each looks every two seconds who else does. The split divides the
         * work and guards nothing: leases keep order and ownership while it changes. Nor does delivery wait for a
         * member that stands still: a worker whose last look at all shards was five seconds ago claims of all of them,
         * and goes on so while it finds something there and nothing in its own. Where it cannot learn who else is there
         * it claims of all shards, and says so once.
         *
         * @param direct connections that lead to the server itself, not by way of a pool in transaction mode, which
         *     would leave the lock with another's session; the worker takes one of them, and a thread, for good
         * @param group 1 to 200 characters; the groups of different schemas are different ones
         * @throws InvalidInputException if the group's name is not as described, or the request names shards
         */
        public Builder withSharedShards(DataSource direct, LanequeueSchema schema, String group) {
            return withSharedShards(ShardGroup.of(direct, schema, group));
        }

        Builder withSharedShards(ShardGroup shared) {
            if (!request.shards().areAll()) {
                throw new InvalidInputException(
                        "request of a worker that shares all shards", "must be for all of them, but is for some");
            }
            return new Builder(transactions, request, options, shared);
        }

        /** Starts the worker. */
        public OutboxWorker start(Executor executor, EventHandler handler) {
            return start(executor, handler, new SystemTiming());
        }

        OutboxWorker start(Executor executor, EventHandler handler, Timing timing) {
            var audience = new Audience(options.events());
            var call = new HandlerCall(timing, audience);
            Function<LogicalShards, Lanes> lanesOf = shards -> new Lanes(
                    ClaimWindow.standard(),
                    request.withShards(shards),
                    lane -> new HeldLane(lane, handler, options.retryPolicy(), call));
            Membership membership = group == null ? null : new Membership(group, request.worker(), audience);
            Source<HeldLane> lanes = membership == null
                    ? lanesOf.apply(request.shards())
                    : new SharedLanes(membership::share, lanesOf, timing);
            var hands = new Hands<HeldLane>(request.lanes(), executor, timing);
            var coordinator =
                    new Coordinator<>(request.worker(), lanes, transactions, hands, Chores.none(), options, timing);
            Notifications notifications = options.notifications();
            Listener listener = notifications == null
                    ? null
                    : notifications.listener(DISPATCH_OUTBOX.getName(), coordinator::lookNow);
            return new OutboxWorker(coordinator, listener, membership).started(request.worker());
        }
    }
}
