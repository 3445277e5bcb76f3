package io.lanequeue.model;

import io.lanequeue.testing.Isolation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A transaction as the model has it: what it saw when it began, and what it changed since. */
final class Transaction<M extends Model<M>> {

    private final Isolation isolation;
    private final @Nullable M snapshot;
    private final List<Change<M>> changes = new ArrayList<>();

    Transaction(Isolation isolation, M committed) {
        this.isolation = isolation;
        this.snapshot = isolation == Isolation.READ_COMMITTED ? null : committed.copy();
    }

    Isolation isolation() {
        return isolation;
    }

    void add(Change<M> change) {
        changes.add(change);
    }

    int size() {
        return changes.size();
    }

    /** Undoes all but the first changes. */
    void truncate(int size) {
        changes.subList(size, changes.size()).clear();
    }

    /** What a statement of it sees now. */
    M visible(M committed) {
        M visible = (snapshot == null ? committed : snapshot).copy();
        applyTo(visible);
        return visible;
    }

    void applyTo(M model) {
        changes.forEach(change -> change.effect().accept(model));
    }

    /** Rows that it may hold; where it has one, its snapshot stands among them as its isolation level. */
    Set<Object> held() {
        Set<Object> held = new HashSet<>();
        if (snapshot != null) {
            held.add(isolation);
        }
        changes.forEach(change -> held.addAll(change.held()));
        return held;
    }
}
