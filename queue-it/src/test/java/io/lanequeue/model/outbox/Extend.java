package io.lanequeue.model.outbox;

import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.model.outbox.OutboxModel.Which;
import io.lanequeue.outbox.Lease;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.outbox.OutboxConsumer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Extends a lease that a lane has, or had. */
record Extend(int position, Which which) implements Operation<OutboxModel> {

    private static final OutboxConsumer CONSUMER = new OutboxConsumer();
    private static final Duration TIME = Duration.ofHours(1);

    @Override
    public Optional<Call<OutboxModel, Map<Lease, Instant>>> on(View<OutboxModel> view) {
        return view.model().leases(position, 1, which).stream()
                .findFirst()
                .map(LeasedLane::lease)
                .map(lease -> Call.<OutboxModel, Map<Lease, Instant>>of(
                                dsl -> CONSUMER.extend(dsl, List.of(lease), TIME),
                                (extended, now) -> explain(lease, extended, now))
                        .waitingOnlyFor(Set.of(Row.head(lease.lane().value()))));
    }

    private static Change<OutboxModel> explain(Lease lease, Map<Lease, Instant> extended, View<OutboxModel> now) {
        long lane = lease.lane().value();
        boolean isHeld = now.model().isLeased(lane, lease.id());
        Violation.unless(
                extended.keySet().equals(isHeld ? Set.of(lease) : Set.of()),
                "I5: lane %s is %s, extended are %s",
                lane,
                now.model().hold(lane),
                extended);
        Set<Row> held = Set.of(Row.head(lane)); // also a lost one, where it has waited for the lock
        return isHeld
                ? new Change<>(held, model -> model.hold(lane, new Hold.Leased(lease.id(), false)))
                : Change.holding(held);
    }
}
