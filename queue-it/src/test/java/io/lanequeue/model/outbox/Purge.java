package io.lanequeue.model.outbox;

import static java.util.stream.Collectors.toSet;

import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.outbox.OutboxOperator;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Deletes all dead letters. */
record Purge() implements Operation<OutboxModel> {

    private static final OutboxOperator OPERATOR = new OutboxOperator();

    @Override
    public Optional<Call<OutboxModel, Integer>> on(View<OutboxModel> view) {
        // Which ones a call took is not in its answer: made only while it is known what others hold.
        return view.isSure()
                ? Optional.of(Call.<OutboxModel, Integer>of(
                                dsl -> OPERATOR.purgeDeadLetters(dsl, Duration.ZERO, OutboxOperator.MAX_BATCH),
                                Purge::explain)
                        .waitingOnlyFor(Set.of()))
                : Optional.empty();
    }

    private static Change<OutboxModel> explain(int count, View<OutboxModel> now) {
        List<Place> purged = now.model().deadLetters().stream()
                .filter(letter -> now.isFree(Row.deadLetter(letter)))
                .toList();
        Violation.unless(count == purged.size(), "purged are %s, not %s", count, purged);
        return new Change<>(
                purged.stream().map(Row::deadLetter).collect(toSet()),
                model -> model.deadLetters().removeAll(purged));
    }
}
