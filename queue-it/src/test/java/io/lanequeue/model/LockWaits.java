package io.lanequeue.model;

import io.lanequeue.testing.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jooq.impl.DSL;

/** Asks the server who waits for whom. */
final class LockWaits {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Session observer;

    LockWaits(Session observer) {
        this.observer = observer;
    }

    /**
     * Returns when nothing more happens by itself: every call has ended, or waits, directly or behind another one, for
     * a transaction of an actor that does nothing. Calls that wait for each other are ended by the server.
     */
    <M extends Model<M>> void awaitQuiet(Map<Actor<M>, Running<M, ?>> running, Collection<Actor<M>> actors) {
        Instant deadline = Instant.now().plus(PATIENCE);
        while (Instant.now().isBefore(deadline)) {
            Set<Integer> busy = new HashSet<>();
            running.forEach((actor, call) -> {
                if (!call.hasEnded()) {
                    busy.add(actor.session().pid());
                }
            });
            Set<Integer> still = new HashSet<>();
            actors.forEach(actor -> still.add(actor.session().pid()));
            still.removeAll(busy);
            if (allWaitFor(still, busy)) {
                return;
            }
        }
        throw new AssertionError("Neither ended nor waiting for an actor: " + running);
    }

    private boolean allWaitFor(Set<Integer> still, Set<Integer> busy) {
        if (busy.isEmpty()) {
            return true;
        }
        Map<Integer, List<Integer>> blockers = blockersOf(busy);
        boolean isGrowing = true;
        while (isGrowing) {
            isGrowing = blockers.entrySet().removeIf(waiting -> {
                boolean waits = waiting.getValue().stream().anyMatch(still::contains);
                return waits && still.add(waiting.getKey());
            });
        }
        return blockers.isEmpty();
    }

    private Map<Integer, List<Integer>> blockersOf(Set<Integer> pids) {
        Map<Integer, List<Integer>> blockers = new HashMap<>();
        observer.dsl()
                .fetch(
                        "select p.pid, pg_blocking_pids(p.pid) from unnest({0}) p (pid)",
                        DSL.val(pids.toArray(Integer[]::new)))
                .forEach(row -> blockers.put(row.get(0, Integer.class), List.of(row.get(1, Integer[].class))));
        return blockers;
    }
}
