package io.lanequeue.faults;

import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * What producers of events were told and what handlers saw, kept outside of the database, and what is wrong with it.
 * Thread-safe, but for the handlers of one lane, who hold its lease one after the other.
 */
final class LaneLedger implements Client.Promises<Set<LaneLedger.Sent>> {

    private final Set<Sent> acknowledged = ConcurrentHashMap.newKeySet();
    private final List<Set<Sent>> inDoubt = new CopyOnWriteArrayList<>();
    private final Map<TargetUserId, List<Sent>> handled = new ConcurrentHashMap<>();

    /**
     * An event that a producer sent. Its id alone does not name it: a server that is killed may give an id again, where
     * the transaction that had it did not come about.
     */
    record Sent(EventId id, TargetUserId lane, int pts) {

        static Sent of(EventId id, NewEvent event) {
            return new Sent(id, event.targetUserId(), event.pts());
        }

        static Sent of(Event event) {
            return new Sent(event.id(), event.targetUserId(), event.pts());
        }

        @Override
        public String toString() {
            return id.toString();
        }
    }

    @Override
    public void acknowledged(Set<Sent> events) {
        acknowledged.addAll(events);
    }

    @Override
    public void inDoubt(Set<Sent> events) {
        inDoubt.add(events);
    }

    void handled(Sent event) {
        handled.computeIfAbsent(event.lane(), key -> new ArrayList<>()).add(event);
    }

    /**
     * What is wrong when all should have been delivered.
     *
     * @param left the events that are in the outbox nevertheless
     */
    List<String> violations(Collection<EventId> left) {
        Set<Sent> delivered = new HashSet<>();
        handled.values().forEach(delivered::addAll);
        return Stream.of(
                        left.stream().map(event -> "stranded: " + event),
                        acknowledged.stream()
                                .filter(event -> !delivered.contains(event) && !left.contains(event.id()))
                                .map(event -> "lost: " + event),
                        delivered.stream().filter(event -> !isAppended(event)).map(event -> "never appended: " + event),
                        inDoubt.stream()
                                .filter(events -> events.stream().anyMatch(delivered::contains))
                                .filter(events -> !delivered.containsAll(events))
                                .map(events -> "half of a transaction: " + events),
                        handled.entrySet().stream()
                                .filter(lane -> !isInOrder(lane.getValue()))
                                .map(lane -> "out of order: lane " + lane))
                .flatMap(found -> found)
                .toList();
    }

    private boolean isAppended(Sent event) {
        return acknowledged.contains(event) || inDoubt.stream().anyMatch(events -> events.contains(event));
    }

    /** Each lane has one producer, whose events come in order; so the first deliveries ascend. */
    private boolean isInOrder(List<Sent> deliveries) {
        List<Sent> first =
                deliveries.stream().distinct().filter(this::isAppended).toList();
        return first.equals(first.stream()
                .sorted(Comparator.comparing(Sent::pts).thenComparing(Sent::id))
                .toList());
    }

    @Override
    public String toString() {
        return acknowledged.size() + " events appended, " + inDoubt.size() + " transactions in doubt, "
                + handled.values().stream().mapToInt(List::size).sum() + " deliveries in " + handled.size() + " lanes";
    }
}
