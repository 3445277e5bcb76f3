package io.lanequeue.soak;

import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.ClaimWindow;
import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LaneOutcome;
import io.lanequeue.outbox.LaneReport;
import io.lanequeue.outbox.Lease;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.schema.EventId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Claims lanes through a window, as a worker does, delivers their events to the ledger and reports; some fail, some
 * block their lane.
 */
final class LaneWorker {

    private static final int LANES = 50;
    private static final int EVENTS_PER_LANE = 10;
    private static final int SIDES = 100;
    private static final int FAILING_SIDES = 6;
    private static final int MAX_DELAY_MILLIS = 500;

    private final OutboxConsumer consumer = new OutboxConsumer();
    private final ClaimWindow window = ClaimWindow.standard();
    private final Client client;
    private final Books books;
    private final WorkerHabits habits;
    private final Random random;

    LaneWorker(Client client, Books books, WorkerHabits habits, Random random) {
        this.client = client;
        this.books = books;
        this.habits = habits;
        this.random = random;
    }

    /** Works until stopped. */
    Void work() throws InterruptedException {
        while (!habits.isStopped()) {
            workOnce();
        }
        return null;
    }

    /** Claims lanes once, and reports what became of them. */
    void workOnce() throws InterruptedException {
        ClaimRequest request = window.narrow(request());
        Optional<Claim> claim = client.call(dsl -> consumer.claim(dsl, request));
        claim.ifPresent(window::advance);
        if (claim.isEmpty() || claim.get().isEmpty()) {
            habits.idle();
            return;
        }
        List<LeasedLane> lanes = claim.get().lanes();
        lanes.forEach(books.events()::leased);
        if (habits.work() == WorkerHabits.Fate.DIES) {
            client.close();
        } else {
            report(lanes.stream().map(this::deliver).toList());
        }
    }

    private ClaimRequest request() {
        return ClaimRequest.by(habits.name())
                .withLanes(LANES)
                .withEventsPerLane(EVENTS_PER_LANE)
                .withLease(Plan.LEASE);
    }

    /** Delivers the events of a lane, or those before one that fails. */
    private LaneOutcome deliver(LeasedLane lane) {
        List<Event> events = lane.events();
        int dice = random.nextInt(SIDES);
        if (dice == 0) {
            books.happenings().add(Happening.GIVEN_BACK);
            return LaneOutcome.released(lane);
        }
        int delivered = dice < FAILING_SIDES ? random.nextInt(events.size()) : events.size();
        events.subList(0, delivered).forEach(event -> books.events().delivered(lane.lease(), event));
        if (delivered == events.size()) {
            return LaneOutcome.completed(lane);
        }
        EventId failed = events.get(delivered).id();
        if (dice == 1) {
            books.happenings().add(Happening.LANE_BLOCKED);
            return LaneOutcome.block(lane, failed, "fails for good, on purpose");
        }
        books.happenings().add(Happening.LANE_RETRIED);
        return LaneOutcome.retry(
                lane, failed, Duration.ofMillis(random.nextInt(MAX_DELAY_MILLIS)), "fails once, on purpose");
    }

    /** Reports until there is an answer. */
    private void report(List<LaneOutcome> outcomes) {
        Set<Lease> newest;
        Optional<List<LaneReport>> reports;
        do {
            newest = outcomes.stream()
                    .map(LaneOutcome::lease)
                    .filter(books.events()::reporting)
                    .collect(Collectors.toSet());
            reports = client.call(dsl -> consumer.finish(dsl, outcomes));
        } while (reports.isEmpty());
        for (LaneReport report : reports.get()) {
            books.events().reported(report, newest);
        }
    }
}
