package io.lanequeue.model;

import io.lanequeue.schema.LanequeueException;
import io.lanequeue.testing.Session;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jooq.exception.DataAccessException;

/**
 * Plays one sequence of steps, one at a time, and compares with the model after each.
 *
 * <p>A call that waits for another transaction stays under way while the others go on; its result is taken after the
 * step that let it end.
 */
final class Playback<M extends Model<M>> {

    private final Queue<M> queue;
    private final List<Actor<M>> actors;
    private final Session observer;
    private final LockWaits waits;
    private final Map<Actor<M>, Running<M, ?>> running = new LinkedHashMap<>();
    private final List<String> lines = new ArrayList<>();
    private M committed;

    Playback(Queue<M> queue, List<Session> sessions, Session observer) {
        this.queue = queue;
        this.actors = IntStream.range(0, sessions.size())
                .mapToObj(number -> new Actor<M>(number, sessions.get(number)))
                .toList();
        this.observer = observer;
        this.waits = new LockWaits(observer);
        this.committed = queue.empty(observer.dsl());
    }

    /** What went wrong, and what led to it; empty if all was as the model says. */
    Optional<Failure> play(List<Step<M>> steps) {
        int taken = 0;
        try {
            for (Step<M> step : steps) {
                taken++;
                take(step);
                settle();
            }
            endTransactions();
            drain();
            return Optional.empty();
        } catch (Violation violation) {
            return Optional.of(new Failure(taken, lines, violation));
        } finally {
            abandon();
        }
    }

    private void take(Step<M> step) {
        Actor<M> actor = actors.get(step.actor());
        if (running.containsKey(actor)) {
            return; // it waits
        }
        if (step instanceof Step.Act<M> act) {
            View<M> view = viewOf(actor);
            act.operation().on(view).ifPresent(call -> start(actor, act.operation(), call, view));
        } else if (step instanceof Step.Begin<M> begin && !actor.isInTransaction()) {
            actor.begin(begin.isolation(), committed);
            say(actor, "begins at " + begin.isolation());
        } else if (step instanceof Step.Control<M> control && actor.isInTransaction()) {
            control(actor, control.verb());
        }
    }

    private <R> void start(Actor<M> actor, Operation<M> operation, Call<M, R> call, View<M> view) {
        running.put(actor, new Running<>(operation, call, view, actor.session()));
    }

    private void control(Actor<M> actor, Step.Verb verb) {
        switch (verb) {
            case COMMIT -> say(actor, actor.commit(committed) ? "commits" : "may not commit (40001)");
            case ROLLBACK -> {
                actor.rollback();
                say(actor, "rolls back");
            }
            case SAVEPOINT -> {
                actor.savepoint();
                say(actor, "sets a savepoint");
            }
            case ROLLBACK_TO_SAVEPOINT -> {
                if (actor.rollbackToSavepoint()) {
                    say(actor, "rolls back to its savepoint");
                }
            }
        }
    }

    /** Takes the results of the calls that have ended, and compares. */
    private void settle() {
        do {
            do {
                waits.awaitQuiet(running, actors);
            } while (takeResults());
            noteWaiting();
        } while (!agrees());
    }

    private boolean agrees() {
        try {
            check();
            return true;
        } catch (Violation violation) {
            // A wait may be cut short by a time limit: then what was just seen committed is not in the model yet.
            waits.awaitQuiet(running, actors);
            if (running.values().stream().noneMatch(Running::hasEnded)) {
                throw violation;
            }
            return false;
        }
    }

    /** Whether there were any. */
    private boolean takeResults() {
        Map<Actor<M>, Running<M, ?>> ended = new LinkedHashMap<>(running);
        ended.values().removeIf(call -> !call.hasEnded());
        running.keySet().removeAll(ended.keySet());
        Map<Actor<M>, Running<M, ?>> successful = new LinkedHashMap<>(ended);
        ended.forEach((actor, call) -> {
            if (call.gaveWay()) {
                successful.remove(actor);
                actor.rollback();
                say(actor, call + " gives way, and its transaction is rolled back");
            }
        });
        if (!successful.isEmpty()) {
            look(); // what a call has waited for may have changed it since the last check
        }
        explainInSomeOrder(successful, successful.size() > 1 && running.isEmpty() ? this::check : () -> {});
        return !ended.isEmpty();
    }

    private void check() {
        queue.check(committed, observer.dsl());
        look();
    }

    private void look() {
        queue.look(committed, observer.dsl());
    }

    /**
     * Of several calls that ended since the last step nobody knows which came first. One in a transaction is taken to
     * be last where that explains the results: it holds on to what it has locked, so one behind it would still wait.
     */
    private void explainInSomeOrder(Map<Actor<M>, Running<M, ?>> ended, Runnable whenAllAre) {
        if (ended.isEmpty()) {
            whenAllAre.run();
            return;
        }
        Violation refused = new Violation("no order explains the results");
        for (Actor<M> first : transactionsLast(ended.keySet())) {
            Map<Actor<M>, Running<M, ?>> others = new LinkedHashMap<>(ended);
            Running<M, ?> call = Objects.requireNonNull(others.remove(first));
            M committedBefore = committed.copy();
            int changesBefore = first.changes();
            int linesBefore = lines.size();
            try {
                View<M> now = viewOf(first);
                say(first, call.result());
                first.did(call.explain(others.isEmpty() ? now : now.unsure()), committed);
                explainInSomeOrder(others, whenAllAre);
                return;
            } catch (Violation violation) {
                refused = violation;
                committed = committedBefore;
                first.forgetAfter(changesBefore);
                lines.subList(linesBefore, lines.size()).clear();
            }
        }
        ended.forEach((actor, call) -> say(actor, call.result()));
        throw refused;
    }

    private List<Actor<M>> transactionsLast(Set<Actor<M>> all) {
        return all.stream().sorted(Comparator.comparing(Actor::isInTransaction)).toList();
    }

    private void noteWaiting() {
        running.forEach((actor, call) -> {
            if (!call.hasWaited()) {
                say(actor, call + " waits");
                call.waitsFor(heldByOthers(actor));
            }
        });
    }

    private View<M> viewOf(Actor<M> actor) {
        return new View<>(
                actor.visible(committed),
                actor.latest(committed),
                actor.isolation(),
                actor.held(),
                heldByOthers(actor),
                running.isEmpty());
    }

    private Set<Object> heldByOthers(Actor<M> actor) {
        Set<Object> held = new HashSet<>();
        actors.stream().filter(other -> other != actor).forEach(other -> held.addAll(other.held()));
        return held;
    }

    /** Commits what is open, until nobody waits any more. */
    private void endTransactions() {
        while (!running.isEmpty() || actors.stream().anyMatch(Actor::isInTransaction)) {
            for (Actor<M> actor : actors) {
                if (actor.isInTransaction() && !running.containsKey(actor)) {
                    control(actor, Step.Verb.COMMIT);
                    settle();
                }
            }
        }
    }

    private void drain() {
        try {
            queue.drain(committed, observer.dsl());
        } catch (LanequeueException | DataAccessException e) {
            throw new Violation("the queue cannot be drained", e);
        }
    }

    /** Rolls back what is open, whatever comes of it. */
    private void abandon() {
        do {
            waits.awaitQuiet(running, actors);
            running.values().removeIf(Running::hasEnded);
            actors.stream().filter(actor -> !running.containsKey(actor)).forEach(Actor::rollback);
        } while (!running.isEmpty());
    }

    private void say(Actor<M> actor, String what) {
        lines.add(actor + ": " + what);
    }
}
