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

/** Takes every event out of a lane. */
record DeleteLane(long lane) implements Operation<OutboxModel> {

    private static final OutboxOperator OPERATOR = new OutboxOperator();

    @Override
    public Optional<Call<OutboxModel, Discard>> on(View<OutboxModel> view) {
        // Which events it took is not in its answer. It does not wait for a repair here, after which its look is newer.
        return view.isFree(Row.OUTBOX)
                ? Optional.of(Call.of(
                        dsl -> OPERATOR.deleteLane(dsl, new TargetUserId(lane), "model"),
                        (discard, now) -> explain(discard, view.model(), now)))
                : Optional.empty();
    }

    private Change<OutboxModel> explain(Discard discard, OutboxModel seen, View<OutboxModel> now) {
        List<Place> events =
                seen.events(lane).stream().filter(now.model()::contains).toList();
        Discard notFound = new Discard(Discard.Status.NOT_FOUND, 0);
        Discard expected = events.isEmpty() ? notFound : new Discard(Discard.Status.DISCARDED, events.size());
        if (now.model().isLeasedForNow(lane)) {
            expected = new Discard(Discard.Status.LEASED, 0);
        }
        // The head that it has waited for may be gone, and another one have come since.
        boolean isGone = !now.isSure() && events.isEmpty() && discard.equals(notFound);
        Violation.unless(
                discard.equals(expected) || isGone, "lane %s with %s: %s, not %s", lane, events, discard, expected);
        return discard.status() == Discard.Status.DISCARDED
                ? Discarding.change(lane, events)
                : Change.holding(Set.of(Row.head(lane)));
    }
}
