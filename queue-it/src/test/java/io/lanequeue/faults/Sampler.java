package io.lanequeue.faults;

import io.lanequeue.soak.Invariants;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;

/** Looks under load for what may not be at any committed state. */
final class Sampler {

    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final AtomicInteger samples = new AtomicInteger();
    private final Invariants invariants;

    Sampler(int cap) {
        invariants = new Invariants(cap, (loss, which) -> violations.add(loss.words() + ": " + which));
    }

    void look(DSLContext dsl) {
        invariants.check(dsl);
        samples.incrementAndGet();
    }

    List<String> violations() {
        return violations;
    }

    @Override
    public String toString() {
        return samples + " samples";
    }
}
