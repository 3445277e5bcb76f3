package io.lanequeue.interleavings;

import java.util.List;
import java.util.function.Function;
import org.jooq.DSLContext;

/** A call without one of its protections. */
record DefectiveCall<S extends Subject<L>, L extends Ledger>(
        Scene<S> scene, Function<S, Function<DSLContext, Report<L>>> call) implements Operation<S, L> {

    @Override
    public String title() {
        return "defective";
    }

    @Override
    public List<Scene<S>> scenes() {
        return List.of(scene);
    }

    @Override
    public Function<DSLContext, Report<L>> on(S subject) {
        return call.apply(subject);
    }
}
