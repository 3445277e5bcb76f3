package io.lanequeue.model.outbox;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.outbox.DeadLetterQuery;
import io.lanequeue.outbox.LaneQuery;
import io.lanequeue.outbox.LaneState;
import io.lanequeue.outbox.LaneTotals;
import io.lanequeue.outbox.OutboxOperator;
import io.lanequeue.schema.TargetUserId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jooq.DSLContext;

/** Looks at everything, as an operator does. */
record Look() implements Operation<OutboxModel> {

    private static final OutboxOperator OPERATOR = new OutboxOperator();

    /** What operators are told; the lanes in order, one for each head. */
    record Result(Map<Long, Long> depths, List<Long> blocked, List<Long> leased, Set<Place> deadLetters) {}

    @Override
    public Optional<Call<OutboxModel, Result>> on(View<OutboxModel> view) {
        Result expected = expected(view.model());
        return Optional.of(Call.<OutboxModel, Result>of(Look::send, (result, now) -> {
                    Violation.unless(result.equals(expected), "operators see %s, not %s", result, expected);
                    return Change.none();
                })
                .waitingOnlyFor(Set.of()));
    }

    private static Result send(DSLContext dsl) {
        Map<Long, Long> depths = OutboxModel.LANES.stream()
                .collect(toMap(Function.identity(), lane -> OPERATOR.depth(dsl, new TargetUserId(lane))));
        Result result = new Result(
                depths,
                lanes(dsl, LaneState.BLOCKED),
                lanes(dsl, LaneState.LEASED),
                OPERATOR.deadLetters(dsl, DeadLetterQuery.ofAll()).stream()
                        .map(letter -> Place.of(letter.event()))
                        .collect(toSet()));
        LaneTotals totals = OPERATOR.totals(dsl);
        Violation.unless(
                totals.blocked() == result.blocked().size()
                        && totals.leased() == result.leased().size(),
                "%s does not fit %s",
                totals,
                result);
        return result;
    }

    private static List<Long> lanes(DSLContext dsl, LaneState state) {
        return OPERATOR.lanes(dsl, LaneQuery.of(state)).stream()
                .map(lane -> lane.lane().value())
                .sorted()
                .toList();
    }

    private static Result expected(OutboxModel model) {
        return new Result(
                OutboxModel.LANES.stream().collect(toMap(Function.identity(), lane ->
                        (long) model.events(lane).size())),
                model.lanes(Hold.Blocked.class::isInstance),
                model.lanes(Hold::isLeasedForNow),
                Set.copyOf(model.deadLetters()));
    }
}
