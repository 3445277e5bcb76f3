package io.lanequeue.model;

import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A simulated program: a connection, and its transaction if one is open. */
final class Actor<M extends Model<M>> {

    private final int number;
    private final Session session;
    private @Nullable Transaction<M> transaction;
    private int changesAtSavepoint = -1;

    Actor(int number, Session session) {
        this.number = number;
        this.session = session;
    }

    Session session() {
        return session;
    }

    boolean isInTransaction() {
        return transaction != null;
    }

    @Nullable
    Isolation isolation() {
        return transaction == null ? null : transaction.isolation();
    }

    /** What its statements see now. */
    M visible(M committed) {
        return transaction == null ? committed.copy() : transaction.visible(committed);
    }

    /** What they would see if its transaction had begun now. */
    M latest(M committed) {
        M latest = committed.copy();
        if (transaction != null) {
            transaction.applyTo(latest);
        }
        return latest;
    }

    /** Rows that its open transaction may hold. */
    Set<Object> held() {
        return transaction == null ? Set.of() : transaction.held();
    }

    /** A call did this; in autocommit it is committed with it. */
    void did(Change<M> change, M committed) {
        if (transaction == null) {
            change.effect().accept(committed);
        } else {
            transaction.add(change);
        }
    }

    /** How many changes its transaction has made. */
    int changes() {
        return transaction == null ? 0 : transaction.size();
    }

    void forgetAfter(int changes) {
        if (transaction != null) {
            transaction.truncate(changes);
        }
    }

    /** Begins a transaction; above READ COMMITTED it takes its snapshot at once. */
    void begin(Isolation isolation, M committed) {
        session.begin(isolation);
        if (isolation != Isolation.READ_COMMITTED) {
            session.snapshot();
        }
        transaction = new Transaction<>(isolation, committed);
        changesAtSavepoint = -1;
    }

    /** Whether it was committed; if not, nothing happened. */
    boolean commit(M committed) {
        boolean isCommitted = session.tryCommit();
        if (isCommitted && transaction != null) {
            transaction.applyTo(committed);
        }
        rollback();
        return isCommitted;
    }

    /** Leaves nothing open. */
    void rollback() {
        if (transaction != null) {
            session.rollback();
            session.autocommit();
            transaction = null;
        }
    }

    void savepoint() {
        session.dsl().execute("savepoint here");
        changesAtSavepoint = changes();
    }

    /** Whether there was a savepoint to go back to. */
    boolean rollbackToSavepoint() {
        if (changesAtSavepoint < 0) {
            return false;
        }
        session.dsl().execute("rollback to savepoint here");
        forgetAfter(changesAtSavepoint);
        return true;
    }

    @Override
    public String toString() {
        return "actor " + number;
    }
}
