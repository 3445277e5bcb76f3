package io.lanequeue.interleavings;

import static io.lanequeue.model.Violation.unless;

import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.Discard;
import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LaneReport;
import io.lanequeue.outbox.Lease;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.schema.EventId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a lane must hold: its events, who may deliver them, and what holds them back. */
final class LaneLedger implements Ledger {

    /** Whether the first event waits for something. */
    enum Hold {
        NONE,
        DELAY,
        BLOCK
    }

    private final TreeSet<Place> places;
    private final Set<EventId> deadLetters;
    private @Nullable Lease lease;
    private boolean leaseIsLive;
    private Hold hold;

    LaneLedger(EventId deadLetter) {
        places = new TreeSet<>();
        deadLetters = new TreeSet<>(Set.of(deadLetter));
        hold = Hold.NONE;
    }

    LaneLedger(LaneLedger other) {
        places = new TreeSet<>(other.places);
        deadLetters = new TreeSet<>(other.deadLetters);
        lease = other.lease;
        leaseIsLive = other.leaseIsLive;
        hold = other.hold;
    }

    /** The events that wait to be delivered, in order. */
    List<EventId> events() {
        return places.stream().map(Place::event).toList();
    }

    Set<EventId> deadLetters() {
        return deadLetters;
    }

    @Nullable
    Lease lease() {
        return lease;
    }

    Hold hold() {
        return hold;
    }

    void appended(EventId event, int pts) {
        Place place = new Place(pts, event);
        places.add(place);
        if (place.equals(places.first())) {
            hold = Hold.NONE;
        }
    }

    void claimed(Claim claim) {
        if (claim.settledLanes() > 0) {
            unless(places.isEmpty(), "settled, though %s wait", events());
            lease = null;
            leaseIsLive = false;
        }
        for (LeasedLane lane : claim.lanes()) {
            unless(!leaseIsLive, "claimed, though leased");
            unless(hold == Hold.NONE, "claimed, though its first event failed");
            List<EventId> claimed = lane.events().stream().map(Event::id).toList();
            unless(claimed.equals(events()), "claimed %s of %s", claimed, events());
            lease = lane.lease();
            leaseIsLive = true;
        }
    }

    void leaseRanOut() {
        leaseIsLive = false;
    }

    void extended(Lease fence, Map<Lease, Instant> extended) {
        unless(
                extended.containsKey(fence) == fence.equals(lease),
                "extended %s, though the lease is %s",
                extended,
                lease);
        leaseIsLive |= fence.equals(lease);
    }

    void finished(LaneReport report) {
        if (report.status() == LaneReport.Status.LEASE_LOST) {
            unless(!report.lease().equals(lease), "told that the lease is lost, though it holds");
            return;
        }
        unless(report.lease().equals(lease), "finished under %s, though the lease is %s", report.lease(), lease);
        lease = null;
        leaseIsLive = false;
        report.deleted().forEach(this::remove);
    }

    void failed(LaneReport report, EventId event, Hold until) {
        finished(report);
        if (report.status() == LaneReport.Status.FINISHED) {
            unless(isFirst(event), "recorded the failure of %s, the lane is %s", event, events());
            hold = until;
        }
    }

    void retried(EventId event, boolean done) {
        unless(done == (hold == Hold.BLOCK && isFirst(event)), "retried: %s, though held by %s", done, hold);
        if (done) {
            hold = Hold.NONE;
        }
    }

    void discarded(Discard discard, List<EventId> events) {
        switch (discard.status()) {
            case DISCARDED -> {
                unless(!leaseIsLive, "discarded, though leased");
                unless(discard.events() == events.size(), "discarded %s of %s", discard.events(), events);
                events.forEach(this::remove);
                deadLetters.addAll(events);
                lease = null;
            }
            case LEASED -> unless(leaseIsLive, "told that it is leased, though it is not");
            case NOT_FOUND -> {
                // Above the call's snapshot there may be more.
            }
        }
    }

    void redriven(Map<EventId, EventId> newIds, int pts) {
        newIds.forEach((deadLetter, event) -> {
            unless(deadLetters.remove(deadLetter), "redrove %s, which is no dead letter", deadLetter);
            appended(event, pts);
        });
    }

    void remove(EventId event) {
        boolean wasFirst = isFirst(event);
        unless(places.removeIf(place -> place.event().equals(event)), "removed %s of %s", event, events());
        if (wasFirst) {
            hold = Hold.NONE;
        }
    }

    private boolean isFirst(EventId event) {
        return !places.isEmpty() && places.first().event().equals(event);
    }
}
