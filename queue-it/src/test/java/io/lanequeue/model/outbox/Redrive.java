package io.lanequeue.model.outbox;

import static java.util.stream.Collectors.toSet;

import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.outbox.OutboxOperator;
import io.lanequeue.schema.EventId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Appends the first dead letters again. */
record Redrive(int limit) implements Operation<OutboxModel> {

    private static final OutboxOperator OPERATOR = new OutboxOperator();

    /** The new ids, and the heads after it. */
    record Result(Map<EventId, EventId> newIds, Map<Long, EventId> heads) {}

    @Override
    public Optional<Call<OutboxModel, Result>> on(View<OutboxModel> view) {
        List<Place> letters = view.model().deadLetters().stream().limit(limit).toList();
        List<EventId> ids = letters.stream().map(Place::id).toList();
        return letters.isEmpty()
                ? Optional.empty()
                : Optional.of(Call.of(
                        dsl -> new Result(OPERATOR.redrive(dsl, ids), Heads.after(dsl, view)),
                        (result, now) -> explain(letters, result, now)));
    }

    private static Change<OutboxModel> explain(List<Place> letters, Result result, View<OutboxModel> now) {
        List<Place> taken =
                letters.stream().filter(now.model().deadLetters()::contains).toList();
        Violation.unless(
                result.newIds().keySet().equals(taken.stream().map(Place::id).collect(toSet())),
                "redriven are %s, not %s",
                result,
                taken);
        List<Place> appended = taken.stream()
                .map(letter -> new Place(
                        letter.lane(),
                        letter.pts(),
                        Objects.requireNonNull(result.newIds().get(letter.id()))))
                .toList();
        return new Change<OutboxModel>(
                        taken.stream().map(Row::deadLetter).collect(toSet()),
                        model -> model.deadLetters().removeAll(taken))
                .and(new Appended(appended, result.heads()).change(now));
    }
}
