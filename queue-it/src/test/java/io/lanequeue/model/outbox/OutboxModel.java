package io.lanequeue.model.outbox;

import io.lanequeue.model.Model;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.schema.LeaseId;
import io.lanequeue.schema.TargetUserId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * All that is to be known of an outbox: which events wait, what holds back their lanes, which events are dead letters.
 */
final class OutboxModel implements Model<OutboxModel> {

    /** Few, so that actors meet. */
    static final List<Long> LANES = List.of(1L, 2L);

    private static final Hold READY = new Hold.Ready();

    private final NavigableSet<Place> events = new TreeSet<>();
    private final NavigableSet<Place> deadLetters = new TreeSet<>();
    private final Map<Long, Hold> holds = new TreeMap<>();

    /** What held back a lane that was drained since: an old snapshot shows that head beside the one made after it. */
    private final Map<Long, Hold> outdated = new TreeMap<>();

    /** Every lease that was given, for those who come back late. */
    private final List<LeasedLane> leases = new ArrayList<>();

    /** Not predicted but looked up: where a head stands decides nothing but who waits. */
    private Map<Long, Head> heads = Map.of();

    @Override
    public OutboxModel copy() {
        OutboxModel copy = new OutboxModel();
        copy.events.addAll(events);
        copy.deadLetters.addAll(deadLetters);
        copy.holds.putAll(holds);
        copy.outdated.putAll(outdated);
        copy.leases.addAll(leases);
        copy.heads = heads;
        return copy;
    }

    NavigableSet<Place> events() {
        return events;
    }

    List<Place> events(long lane) {
        return events.stream().filter(event -> event.lane() == lane).toList();
    }

    boolean contains(Place event) {
        return events.contains(event);
    }

    void append(Collection<Place> appended) {
        events.addAll(appended);
    }

    /** A lane that was held back by an event is ready when that event is gone. */
    void remove(Collection<Place> removed) {
        events.removeAll(removed);
        holds.values()
                .removeIf(hold -> failedEvent(hold).filter(removed::contains).isPresent());
    }

    NavigableSet<Place> deadLetters() {
        return deadLetters;
    }

    /** The lane at this position of those that fit; a number too large begins again in front. */
    static Optional<Long> pick(int position, Predicate<Long> fits) {
        List<Long> lanes = LANES.stream().filter(fits).toList();
        return lanes.isEmpty() ? Optional.empty() : Optional.of(lanes.get(position % lanes.size()));
    }

    Hold hold(long lane) {
        return holds.getOrDefault(lane, READY);
    }

    /** The lanes that are held back like this, in order; twice where two heads of the lane are seen to be. */
    List<Long> lanes(Predicate<Hold> like) {
        return LANES.stream()
                .flatMap(lane -> Stream.of(hold(lane), outdated.getOrDefault(lane, READY))
                        .filter(like)
                        .map(hold -> lane))
                .toList();
    }

    /** Everything is gone but the dead letters. */
    void truncate() {
        events.clear();
        holds.clear();
        outdated.clear();
    }

    /** The event that holds back a lane until it is tried again. */
    Optional<Place> failedEvent(long lane) {
        return failedEvent(hold(lane));
    }

    private static Optional<Place> failedEvent(Hold hold) {
        if (hold instanceof Hold.BackingOff backingOff) {
            return Optional.of(backingOff.failed());
        }
        return hold instanceof Hold.Blocked blocked ? Optional.of(blocked.failed()) : Optional.empty();
    }

    boolean isClaimable(long lane) {
        return hold(lane).isOver();
    }

    /** Whether the lane is this lease's holder's, be its time over or not. */
    boolean isLeased(long lane, LeaseId lease) {
        return hold(lane) instanceof Hold.Leased leased && leased.lease().equals(lease);
    }

    boolean isLeasedForNow(long lane) {
        return hold(lane).isLeasedForNow();
    }

    void hold(long lane, Hold hold) {
        holds.put(lane, hold);
    }

    /** A lease or a back-off is over; a block is not. */
    void timePasses(long lane) {
        Hold hold = hold(lane);
        if (hold instanceof Hold.Leased leased) {
            hold(lane, new Hold.Leased(leased.lease(), true));
        } else if (hold instanceof Hold.BackingOff backingOff) {
            hold(lane, new Hold.BackingOff(backingOff.failed(), true));
        }
    }

    void ready(long lane) {
        holds.remove(lane);
    }

    /** The lane has a new head, whose transaction may still see the one that has been removed. */
    void readyAgain(long lane) {
        outdated.put(lane, hold(lane));
        ready(lane);
    }

    boolean isReadyAgain(long lane) {
        return outdated.containsKey(lane);
    }

    void lease(LeasedLane lane) {
        leases.add(lane);
        hold(lane.lease().lane().value(), new Hold.Leased(lane.lease().id(), false));
    }

    /** For so many lanes, from a position on: the lease that each has now, or the last one it had before. */
    List<LeasedLane> leases(int position, int lanes, Which which) {
        Map<TargetUserId, LeasedLane> latest = new TreeMap<>();
        leases.stream()
                .filter(lane ->
                        isLeased(lane.lease().lane().value(), lane.lease().id()) == (which == Which.PRESENT))
                .forEach(lane -> latest.put(lane.lease().lane(), lane));
        return latest.values().stream()
                .skip(latest.isEmpty() ? 0 : position % latest.size())
                .limit(lanes)
                .toList();
    }

    enum Which {
        PRESENT,
        STALE
    }

    Optional<Head> head(long lane) {
        return Optional.ofNullable(heads.get(lane));
    }

    void sawHeads(Map<Long, Head> seen) {
        heads = Map.copyOf(seen);
    }
}
