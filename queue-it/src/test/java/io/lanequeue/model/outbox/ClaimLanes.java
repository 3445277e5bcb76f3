package io.lanequeue.model.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.outbox.LogicalShards;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.LeaseId;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;

/** Claims up to so many of these lanes, with up to so many events of each. */
record ClaimLanes(Set<Long> lanes, int limit, int eventsPerLane) implements Operation<OutboxModel> {

    private static final OutboxConsumer CONSUMER = new OutboxConsumer();
    private static final Duration LEASE = Duration.ofHours(1);

    /** A claim; and, where it settled lanes, the leases that are left after it, which tell which ones. */
    record Result(Claim claim, Set<LeaseId> leasesLeft) {

        @Override
        public String toString() {
            String lanes = claim.lanes().stream()
                    .map(lane -> lane.lease() + " "
                            + lane.events().stream().map(Event::id).toList())
                    .collect(joining(", "));
            return lanes + "; " + claim.settledLanes() + " settled";
        }
    }

    @Override
    public Optional<Call<OutboxModel, Result>> on(View<OutboxModel> view) {
        Call<OutboxModel, Result> call = Call.of(this::send, (result, now) -> explain(result, view.model(), now));
        return Optional.of(view.isReadCommitted() ? call.waitingOnlyFor(Set.of()) : call);
    }

    private Result send(DSLContext dsl) {
        Claim claim = CONSUMER.claim(
                dsl,
                ClaimRequest.by("model")
                        .withLanes(limit)
                        .withEventsPerLane(eventsPerLane)
                        .withLease(LEASE)
                        .withShards(shards()));
        return new Result(claim, claim.settledLanes() == 0 ? Set.of() : leases(dsl));
    }

    /** The number of so low a lane is that of its shard. */
    private LogicalShards shards() {
        return lanes.containsAll(OutboxModel.LANES)
                ? LogicalShards.all()
                : LogicalShards.of(lanes.stream().mapToInt(Long::intValue).toArray());
    }

    private static Set<LeaseId> leases(DSLContext dsl) {
        return dsl.select(DISPATCH_OUTBOX_USER_HEADS.LEASE_ID)
                .from(DISPATCH_OUTBOX_USER_HEADS)
                .where(DISPATCH_OUTBOX_USER_HEADS.LEASE_ID.isNotNull())
                .fetchSet(DISPATCH_OUTBOX_USER_HEADS.LEASE_ID);
    }

    private Change<OutboxModel> explain(Result result, OutboxModel seen, View<OutboxModel> now) {
        Claim claim = result.claim();
        claim.lanes().forEach(lane -> checkLane(lane, seen));
        Set<Long> claimed =
                claim.lanes().stream().map(lane -> lane.lease().lane().value()).collect(toSet());
        int taken = claimed.size() + claim.settledLanes();
        Violation.unless(taken <= limit, "more than %s lanes are claimed", limit);
        if (taken < limit) {
            lanes.forEach(lane -> Violation.unless(
                    claimed.contains(lane) || !mustBeClaimed(lane, seen, now), "I2: lane %s is not handed out", lane));
        }
        Set<Row> held = claimed.stream().map(Row::head).collect(toSet());
        Set<Long> settled = new HashSet<>();
        if (claim.settledLanes() > 0) {
            lanes.stream().filter(lane -> seen.events(lane).isEmpty()).forEach(lane -> {
                held.addAll(Row.lane(lane));
                if (seen.hold(lane) instanceof Hold.Leased lease
                        && lease.isOver()
                        && !result.leasesLeft().contains(lease.lease())) {
                    settled.add(lane);
                }
            });
        }
        return new Change<>(held, model -> {
            claim.lanes().forEach(model::lease);
            settled.forEach(model::ready);
        });
    }

    private void checkLane(LeasedLane leased, OutboxModel seen) {
        long lane = leased.lease().lane().value();
        Violation.unless(lanes.contains(lane), "lane %s is handed out, but is of another shard", lane);
        Violation.unless(seen.isClaimable(lane), "I3, I4: lane %s is handed out, but is %s", lane, seen.hold(lane));
        List<EventId> expected =
                seen.events(lane).stream().limit(eventsPerLane).map(Place::id).toList();
        List<EventId> claimed = leased.events().stream().map(Event::id).toList();
        Violation.unless(
                claimed.equals(expected), "I4: of lane %s events %s are handed out, not %s", lane, claimed, expected);
    }

    private static boolean mustBeClaimed(long lane, OutboxModel seen, View<OutboxModel> now) {
        Row head = Row.head(lane);
        return !seen.events(lane).isEmpty()
                && seen.isClaimable(lane)
                && seen.head(lane).filter(Head::isDue).isPresent()
                && now.isFree(head)
                && !now.mine().contains(head);
    }
}
