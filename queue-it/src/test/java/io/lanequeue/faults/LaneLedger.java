package io.lanequeue.faults;

import static java.util.Objects.requireNonNull;

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
final class LaneLedger implements Client.Promises<Map<EventId, NewEvent>> {

    private final Map<EventId, NewEvent> appended = new ConcurrentHashMap<>();
    private final Set<EventId> acknowledged = ConcurrentHashMap.newKeySet();
    private final List<Set<EventId>> inDoubt = new CopyOnWriteArrayList<>();
    private final Map<TargetUserId, List<EventId>> handled = new ConcurrentHashMap<>();

    @Override
    public void acknowledged(Map<EventId, NewEvent> events) {
        appended.putAll(events);
        acknowledged.addAll(events.keySet());
    }

    @Override
    public void inDoubt(Map<EventId, NewEvent> events) {
        appended.putAll(events);
        inDoubt.add(events.keySet());
    }

    void handled(TargetUserId lane, EventId event) {
        handled.computeIfAbsent(lane, key -> new ArrayList<>()).add(event);
    }

    /**
     * What is wrong when all should have been delivered.
     *
     * @param left the events that are in the outbox nevertheless
     */
    List<String> violations(Collection<EventId> left) {
        Set<EventId> delivered = new HashSet<>();
        handled.values().forEach(delivered::addAll);
        return Stream.of(
                        left.stream().map(event -> "stranded: " + event),
                        acknowledged.stream()
                                .filter(event -> !delivered.contains(event) && !left.contains(event))
                                .map(event -> "lost: " + event),
                        delivered.stream()
                                .filter(event -> !appended.containsKey(event))
                                .map(event -> "never appended: " + event),
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

    /** Each lane has one producer, whose events come in order; so the first deliveries ascend. */
    private boolean isInOrder(List<EventId> deliveries) {
        List<EventId> first =
                deliveries.stream().distinct().filter(appended::containsKey).toList();
        return first.equals(first.stream()
                .sorted(Comparator.comparing(this::pts).thenComparing(Comparator.naturalOrder()))
                .toList());
    }

    private int pts(EventId event) {
        return requireNonNull(appended.get(event)).pts();
    }

    @Override
    public String toString() {
        return acknowledged.size() + " events appended, " + inDoubt.size() + " transactions in doubt, "
                + handled.values().stream().mapToInt(List::size).sum() + " deliveries in " + handled.size() + " lanes";
    }
}
