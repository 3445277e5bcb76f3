package io.lanequeue.interleavings;

import io.lanequeue.testing.Isolation;
import java.util.List;
import java.util.stream.Stream;

/**
 * Two transactions that meet on two lanes or repositories, at READ COMMITTED: one calls on the first and then on the
 * second, the other on the second and then on the first.
 */
record Crossing<S extends Subject<L>, L extends Ledger>(
        Operation<S, L> one, Operation<S, L> oneThen, Operation<S, L> other, Operation<S, L> otherThen) {

    /** All four calls are the same. */
    static <S extends Subject<L>, L extends Ledger> Crossing<S, L> of(Operation<S, L> operation) {
        return new Crossing<>(operation, operation, operation, operation);
    }

    String title() {
        return one.equals(oneThen)
                ? one.title()
                : one.title() + ", then " + oneThen.title() + "; " + other.title() + ", then " + otherThen.title();
    }

    /** Plays it on two new lanes or repositories. Fails as {@link Interleaving#play} does. */
    String play(Stage stage) {
        S first = one.sceneWith(otherThen).prepare(stage.dsl(), stage.nextNumber());
        S second = other.sceneWith(oneThen).prepare(stage.dsl(), stage.nextNumber());
        var left = new Transaction<L>(stage.first(Isolation.READ_COMMITTED));
        var right = new Transaction<L>(stage.second(Isolation.READ_COMMITTED));

        left.call(one.on(first));
        right.call(other.on(second));
        boolean waits = left.call(oneThen.on(second));
        right.call(otherThen.on(first));
        // Who waits ends when the other one has ended, be it by a deadlock.
        if (waits) {
            right.commit();
            left.commit();
        } else {
            left.commit();
            right.commit();
        }

        L firstLedger = explain(
                stage,
                first,
                left.committed().stream().limit(1),
                right.committed().stream().skip(1));
        L secondLedger = explain(
                stage,
                second,
                left.committed().stream().skip(1),
                right.committed().stream().limit(1));
        first.drain(stage.dsl(), firstLedger);
        second.drain(stage.dsl(), secondLedger);
        String refusals = left.refusal() + right.refusal();
        if (refusals.isEmpty()) {
            return waits ? "waits" : "proceeds";
        }
        return refusals;
    }

    private L explain(Stage stage, S subject, Stream<Report<L>> left, Stream<Report<L>> right) {
        List<Report<L>> inOrder = Stream.concat(left, right).toList();
        List<Report<L>> theOtherWay = inOrder.size() == 2 ? List.of(inOrder.get(1), inOrder.get(0)) : inOrder;
        return Explanation.of(subject, stage.dsl(), List.of(inOrder, theOtherWay));
    }
}
