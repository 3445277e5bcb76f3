package io.lanequeue.interleavings;

import java.util.ArrayList;
import java.util.List;

/** Two calls on one lane or repository, the second one while the transaction of the first is open. */
record Interleaving<S extends Subject<L>, L extends Ledger>(Operation<S, L> first, Operation<S, L> second) {

    /**
     * Plays it on a new lane or repository. Fails unless what the committed calls reported, in one order or the other,
     * is what the queue holds then, and all that waits comes out of it.
     */
    Outcome play(Stage stage, Setting setting) {
        S subject = first.sceneWith(second).prepare(stage.dsl(), stage.nextNumber());
        var one = new Transaction<L>(stage.first(setting.first()));
        var two = new Transaction<L>(stage.second(setting.second()));

        two.takeSnapshot();
        one.call(first.on(subject));
        if (setting.ending() == Ending.COMMITS_UNSEEN) {
            one.commit();
        }
        boolean waits = two.call(second.on(subject));
        switch (setting.ending()) {
            case COMMITS -> one.commit();
            case ROLLS_BACK -> one.rollback();
            case COMMITS_UNSEEN -> {}
        }
        two.commit();

        boolean overlap = !waits && setting.ending() != Ending.COMMITS_UNSEEN;
        L ledger = Explanation.of(subject, stage.dsl(), orders(one.committed(), two.committed(), overlap));
        subject.drain(stage.dsl(), ledger);
        return new Outcome(one.refusal(), waits, two.refusal());
    }

    private static <L extends Ledger> List<List<Report<L>>> orders(
            List<Report<L>> first, List<Report<L>> second, boolean overlap) {
        List<Report<L>> inOrder = new ArrayList<>(first);
        if (!overlap) {
            inOrder.add(Ledger::transactionsEnded);
        }
        inOrder.addAll(second);
        List<Report<L>> theOtherWay = new ArrayList<>(second);
        theOtherWay.addAll(first);
        return List.of(inOrder, theOtherWay);
    }
}
