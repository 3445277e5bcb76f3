package io.lanequeue.worker;

import static java.util.stream.Collectors.toSet;

import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.ClaimWindow;
import io.lanequeue.outbox.LaneReport;
import io.lanequeue.outbox.Lease;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.outbox.OutboxConsumer;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jooq.DSLContext;

/** The outbox as the coordinator sees it. */
final class Lanes implements Source<HeldLane> {

    private final OutboxConsumer consumer = new OutboxConsumer();
    private final ClaimWindow window;
    private final ClaimRequest request;
    private final Function<LeasedLane, HeldLane> hold;

    Lanes(ClaimWindow window, ClaimRequest request, Function<LeasedLane, HeldLane> hold) {
        this.window = window;
        this.request = request;
        this.hold = hold;
    }

    @Override
    public Claimed<HeldLane> claim(Transactions transactions, int limit) {
        // Outside of what is repeated: a full look that gave way is taken again, and only what is committed counts.
        ClaimRequest narrowed = window.narrow(request.withLanes(limit));
        Claim claim =
                transactions.patiently(Transactions.PATIENCE, transaction -> consumer.claim(transaction, narrowed));
        window.advance(claim);
        return new Claimed<>(
                claim.lanes().stream().map(hold).toList(), claim.isIdle() ? Found.NOTHING : Found.SOMETHING);
    }

    @Override
    public Duration lease() {
        return request.lease();
    }

    @Override
    public Set<HeldLane> extend(DSLContext transaction, List<HeldLane> held) {
        Map<Lease, Instant> extended = consumer.extend(
                transaction, held.stream().map(lane -> lane.lane().lease()).toList(), request.lease());
        return held.stream()
                .filter(lane -> !extended.containsKey(lane.lane().lease()))
                .collect(toSet());
    }

    @Override
    public Collection<List<HeldLane>> statements(Collection<HeldLane> ended) {
        return List.of(List.copyOf(ended));
    }

    @Override
    public Map<HeldLane, Settlement> report(DSLContext transaction, List<HeldLane> ended) {
        List<LaneReport> reports = consumer.finish(
                transaction, ended.stream().map(HeldLane::outcome).toList());
        Map<HeldLane, Settlement> settlements = new LinkedHashMap<>();
        for (int i = 0; i < ended.size(); i++) {
            settlements.put(ended.get(i), settlement(ended.get(i), reports.get(i)));
        }
        return settlements;
    }

    private static Settlement settlement(HeldLane lane, LaneReport report) {
        Ending ending = switch (report.status()) {
            case FINISHED -> lane.ending();
            case DISPLACED -> Ending.RELEASED;
            case LEASE_LOST -> Ending.LOST;
        };
        return new Settlement(ending, report.deleted().size());
    }

    @Override
    public Optional<Duration> untilDue(DSLContext transaction) {
        return consumer.untilDue(transaction, request.shards());
    }
}
