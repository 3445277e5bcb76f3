package io.lanequeue.model.outbox;

import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.outbox.Discard;
import io.lanequeue.outbox.OutboxOperator;
import io.lanequeue.schema.TargetUserId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Takes the event that a lane's head names out of the lane. */
record DeleteHead(long lane) implements Operation<OutboxModel> {

    private static final OutboxOperator OPERATOR = new OutboxOperator();

    @Override
    public Optional<Call<OutboxModel, Discard>> on(View<OutboxModel> view) {
        return view.model()
                .head(lane)
                .map(Head::place)
                .map(head -> Call.of(
                        dsl -> OPERATOR.deleteHead(dsl, new TargetUserId(lane), head.id(), "model"),
                        (discard, now) -> explain(head, discard, view.model(), now)));
    }

    private Change<OutboxModel> explain(Place head, Discard discard, OutboxModel seen, View<OutboxModel> now) {
        boolean isThere = seen.contains(head) && now.model().contains(head);
        boolean isLeased = now.model().isLeasedForNow(lane);
        // Where this transaction changed the lane, or its snapshot is old, the head may name another event.
        boolean isHead = now.isSure() && now.isReadCommitted() && !now.mine().contains(Row.head(lane));
        switch (discard.status()) {
            case DISCARDED ->
                Violation.unless(
                        isThere && !isLeased && discard.events() == 1, "lane %s: %s of %s", lane, discard, head);
            case LEASED ->
                Violation.unless(
                        isLeased, "lane %s is %s: %s", lane, now.model().hold(lane), discard);
            case NOT_FOUND ->
                Violation.unless(
                        !isHead || (!isThere && !isLeased), "lane %s has %s as its head: %s", lane, head, discard);
        }
        return discard.status() == Discard.Status.DISCARDED
                ? Discarding.change(lane, List.of(head))
                : Change.holding(Set.of(Row.head(lane)));
    }
}
