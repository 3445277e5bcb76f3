package io.lanequeue.interleavings;

import java.util.List;
import java.util.function.Function;
import org.jooq.DSLContext;

/** A call on a lane or a repository. */
interface Operation<S extends Subject<L>, L extends Ledger> {

    /** What the tables call it. */
    String title();

    /** The scenes in which it has something to do, those that show most first. */
    List<? extends Scene<S>> scenes();

    /** The call; returns what it reports. */
    Function<DSLContext, Report<L>> on(S subject);

    /** The first scene in which both have something to do; if there is none, the other one finds what it finds. */
    default Scene<S> sceneWith(Operation<S, L> other) {
        return scenes().stream()
                .filter(other.scenes()::contains)
                .findFirst()
                .<Scene<S>>map(scene -> scene)
                .orElse(scenes().get(0));
    }
}
