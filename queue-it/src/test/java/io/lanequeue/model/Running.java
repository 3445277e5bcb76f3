package io.lanequeue.model;

import io.lanequeue.CallAgainException;
import io.lanequeue.testing.Session;
import java.util.Set;
import org.jooq.exception.DataAccessException;

/** A call that an actor has under way. */
final class Running<M extends Model<M>, R> {

    private final Operation<M> operation;
    private final Call<M, R> call;
    private final View<M> start;
    private final Session.Call<R> started;
    private boolean hasWaited;

    Running(Operation<M> operation, Call<M, R> call, View<M> start, Session session) {
        this.operation = operation;
        this.call = call;
        this.start = start;
        this.started = session.start(call.statement());
    }

    boolean hasEnded() {
        return started.hasEnded();
    }

    boolean hasWaited() {
        return hasWaited;
    }

    /**
     * Takes note that it waits.
     *
     * @throws Violation if nobody holds what it may wait for
     */
    void waitsFor(Set<Object> heldByOthers) {
        hasWaited = true;
        Set<?> allowed = call.waitsFor();
        if (allowed != null && start.isSure()) {
            Violation.unless(
                    allowed.stream().anyMatch(heldByOthers::contains),
                    "%s waits, though nobody holds any of %s",
                    operation,
                    allowed);
        }
    }

    /**
     * Once it has ended: whether the server chose it to give way.
     *
     * @throws Violation if it failed for another reason
     */
    boolean gaveWay() {
        try {
            started.get();
            return false;
        } catch (RuntimeException e) {
            String state = sqlState(e);
            if (state.equals("40P01") || (state.equals("40001") && !start.isReadCommitted())) {
                return true;
            }
            throw new Violation(operation + " failed", e);
        }
    }

    private static String sqlState(RuntimeException failure) {
        if (failure instanceof CallAgainException again) {
            return again.sqlState();
        }
        return failure instanceof DataAccessException refused ? refused.sqlState() : "none";
    }

    /** Once it has ended: what the model makes of its result. */
    Change<M> explain(View<M> now) {
        return call.explanation().explain(started.get(), start.isSure() && !hasWaited ? now : now.unsure());
    }

    String result() {
        return operation + (hasWaited ? " has waited -> " : " -> ") + started.get();
    }

    @Override
    public String toString() {
        return operation.toString();
    }
}
