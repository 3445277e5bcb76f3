package io.lanequeue.model.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static java.util.stream.Collectors.toSet;

import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.schema.EventId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Deletes events by plain SQL: so many from this position on, in the order of lanes and events. */
record DeleteBySql(int from, int count) implements Operation<OutboxModel> {

    @Override
    public Optional<Call<OutboxModel, Set<EventId>>> on(View<OutboxModel> view) {
        List<Place> events = view.model().events().stream().toList();
        if (events.isEmpty()) {
            return Optional.empty();
        }
        int start = from % events.size();
        List<Place> named = events.subList(start, Math.min(start + count, events.size()));
        return Optional.of(Call.of(
                dsl -> dsl.deleteFrom(DISPATCH_OUTBOX)
                        .where(DISPATCH_OUTBOX.ID.in(
                                named.stream().map(Place::id).toList()))
                        .returningResult(DISPATCH_OUTBOX.ID)
                        .fetchSet(DISPATCH_OUTBOX.ID),
                (deleted, now) -> explain(named, deleted, now)));
    }

    private static Change<OutboxModel> explain(List<Place> named, Set<EventId> deleted, View<OutboxModel> now) {
        List<Place> expected = named.stream().filter(now.model()::contains).toList();
        Violation.unless(
                deleted.equals(expected.stream().map(Place::id).collect(toSet())),
                "deleted are %s, not %s",
                deleted,
                expected);
        return new Change<>(Row.removed(expected), model -> model.remove(expected));
    }
}
