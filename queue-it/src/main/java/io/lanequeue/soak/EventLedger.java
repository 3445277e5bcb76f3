package io.lanequeue.soak;

import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LaneReport;
import io.lanequeue.outbox.Lease;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What became of every event, kept outside the database: three bits an event and a few numbers a lane. Thread-safe.
 *
 * <p>Whatever it calls a loss is one: it compares only what was known before a call began with what the call did.
 */
final class EventLedger {

    private final BitSet committed = new BitSet();
    private final BitSet delivered = new BitSet();
    private final BitSet removed = new BitSet();
    private final Map<EventId, String> lateUnderAnOldLease = new HashMap<>();
    private final LaneRecord[] lanes;
    private final Duration lease;
    private final Losses losses;
    private final Counts<Happening> happenings;

    /**
     * @param lanes lanes are numbered from 0 to below this
     * @param lease the time of every lease
     */
    EventLedger(int lanes, Duration lease, Losses losses, Counts<Happening> happenings) {
        this.lanes = Stream.generate(LaneRecord::new).limit(lanes).toArray(LaneRecord[]::new);
        this.lease = lease;
        this.losses = losses;
        this.happenings = happenings;
    }

    /** Events exist. May be told after their delivery. */
    synchronized void committed(Collection<EventId> events) {
        events.forEach(event -> committed.set(bit(event)));
        happenings.add(Happening.APPENDED, events.size());
    }

    /** Events were taken out by others than the workers. */
    synchronized void removed(Collection<EventId> events) {
        events.forEach(event -> removed.set(bit(event)));
    }

    /** A lane was handed out. By the database's clock the lease before it must be over, unless its holder reported. */
    synchronized void leased(LeasedLane leased) {
        LaneRecord lane = recordOf(leased.lease().lane());
        if (leased.lease().id().value() < lane.newestLease) {
            // The worker tells of it late, after it has lost it.
            return;
        }
        Instant since = leased.leasedUntil().minus(lease);
        if (since.isBefore(lane.leasedUntil)) {
            losses.add(
                    Loss.LANE_LEASED_TWICE,
                    leased.lease() + " since " + since + ", but lease " + lane.newestLease + " ran until "
                            + lane.leasedUntil);
        }
        lane.newestLease = leased.lease().id().value();
        lane.leasedUntil = leased.leasedUntil();
    }

    /**
     * An event was delivered to the outside. Of those in turn, no later one may have been before its first delivery.
     * Only a worker that has lost its lease may come late, with what was taken out meanwhile.
     */
    synchronized void delivered(Lease lease, Event event) {
        happenings.add(Happening.DELIVERED);
        if (delivered.get(bit(event.id()))) {
            happenings.add(Happening.DELIVERED_AGAIN);
            return;
        }
        delivered.set(bit(event.id()));
        Place place = Place.of(event);
        if (place.arrival() == Place.Arrival.LATE) {
            return;
        }
        LaneRecord lane = recordOf(event.targetUserId());
        if (place.number() < lane.lastPlace) {
            String words = "event " + event.id() + " of lane " + event.targetUserId() + ": place " + place.number()
                    + " after " + lane.lastPlace;
            if (lease.id().value() == lane.newestLease) {
                losses.add(Loss.OUT_OF_ORDER, words);
            } else {
                lateUnderAnOldLease.put(event.id(), words);
            }
        }
        lane.lastPlace = Math.max(lane.lastPlace, place.number());
    }

    /**
     * A worker is about to report. From now on the lane may be anybody's.
     *
     * @return whether this is the newest lease of the lane that is known
     */
    synchronized boolean reporting(Lease reported) {
        LaneRecord lane = recordOf(reported.lane());
        if (reported.id().value() != lane.newestLease) {
            return false;
        }
        lane.leasedUntil = Instant.MIN;
        return true;
    }

    /**
     * The answer to a report.
     *
     * @param newest the leases that were the newest of their lanes before the report was sent
     */
    synchronized void reported(LaneReport report, Set<Lease> newest) {
        if (report.status() == LaneReport.Status.LEASE_LOST) {
            happenings.add(Happening.LEASE_LOST);
        } else if (!newest.contains(report.lease())) {
            losses.add(Loss.FINISHED_UNDER_LOST_LEASE, report.toString());
        }
    }

    /** Closes the account, when nobody works any more. */
    synchronized void close(Collection<EventId> left) {
        lateUnderAnOldLease.forEach(this::judge);
        left.forEach(event -> losses.add(Loss.EVENT_LEFT, "event " + event));
        BitSet unknown = (BitSet) delivered.clone();
        unknown.andNot(committed);
        unknown.stream().forEach(event -> losses.add(Loss.EVENT_UNKNOWN, "event " + event));
        BitSet lost = (BitSet) committed.clone();
        lost.andNot(delivered);
        lost.andNot(removed);
        left.forEach(event -> lost.clear(bit(event)));
        lost.stream().forEach(event -> losses.add(Loss.EVENT_LOST, "event " + event));
    }

    /** A worker that has lost its lease may still deliver what was taken out meanwhile, and the lane has gone on. */
    private void judge(EventId event, String words) {
        if (removed.get(bit(event))) {
            happenings.add(Happening.REMOVED_AND_DELIVERED_LATE);
        } else {
            losses.add(Loss.OUT_OF_ORDER, words);
        }
    }

    private LaneRecord recordOf(TargetUserId lane) {
        return lanes[Math.toIntExact(lane.value())];
    }

    private static int bit(EventId event) {
        return Math.toIntExact(event.value());
    }

    private static final class LaneRecord {

        /** The last place in turn that was delivered. */
        private int lastPlace = -1;

        private long newestLease;

        /** Until when nobody else may have the lane. */
        private Instant leasedUntil = Instant.MIN;
    }
}
