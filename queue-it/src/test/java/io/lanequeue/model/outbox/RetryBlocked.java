package io.lanequeue.model.outbox;

import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.outbox.OutboxOperator;
import io.lanequeue.schema.TargetUserId;
import java.util.Optional;
import java.util.Set;

/** Retries a lane as blocked on the event that its head names, one that is blocked where there is one. */
record RetryBlocked(int position) implements Operation<OutboxModel> {

    private static final OutboxOperator OPERATOR = new OutboxOperator();

    @Override
    public Optional<Call<OutboxModel, Boolean>> on(View<OutboxModel> view) {
        OutboxModel model = view.model();
        return OutboxModel.pick(position, lane -> model.hold(lane) instanceof Hold.Blocked)
                .or(() -> OutboxModel.pick(position, lane -> true))
                .flatMap(model::head)
                .map(Head::place)
                .map(head -> Call.of(
                        dsl -> OPERATOR.retryBlocked(dsl, new TargetUserId(head.lane()), head.id()),
                        (isRetried, now) -> explain(head, isRetried, now)));
    }

    private static Change<OutboxModel> explain(Place head, boolean isRetried, View<OutboxModel> now) {
        long lane = head.lane();
        boolean isBlocked = new Hold.Blocked(head).equals(now.model().hold(lane));
        Violation.unless(
                isRetried == isBlocked,
                "retry of lane %s, which is %s: %s",
                lane,
                now.model().hold(lane),
                isRetried);
        return isRetried
                ? new Change<>(Set.of(Row.head(lane)), model -> model.ready(lane))
                : Change.holding(Set.of(Row.head(lane)));
    }
}
