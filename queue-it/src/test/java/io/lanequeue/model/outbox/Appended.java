package io.lanequeue.model.outbox;

import io.lanequeue.model.Change;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.schema.EventId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a call appended, and what its lanes' heads name after it.
 *
 * @param events the new events
 * @param heads by lane; none above READ COMMITTED
 */
record Appended(List<Place> events, Map<Long, EventId> heads) {

    /**
     * A lane that was held back by a later event is ready, and so is one that was drained though an old snapshot still
     * shows its head. But an append that only pins a head and then waits in another lane leaves its lane as it is, also
     * where the head has moved past the new event meanwhile, and has been blocked there.
     */
    Change<OutboxModel> change(View<OutboxModel> now) {
        Map<Long, Place> lowest = new TreeMap<>();
        events.forEach(
                event -> lowest.merge(event.lane(), event, (one, other) -> one.compareTo(other) < 0 ? one : other));
        Set<Row> held = new HashSet<>();
        Set<Long> ready = new HashSet<>();
        Set<Long> readyAgain = new HashSet<>();
        lowest.forEach((lane, event) -> {
            if (!now.isSure() || !comesBehind(lane, event.pts(), now)) {
                held.addAll(Row.lane(lane));
            }
            if (wasDrained(lane, now)) {
                readyAgain.add(lane);
            } else if (isLower(lane, event, now)) {
                ready.add(lane);
            }
        });
        return new Change<>(held, model -> {
            model.append(events);
            ready.forEach(model::ready);
            readyAgain.forEach(model::readyAgain);
        });
    }

    /** Whether the head was seen before a new event, and is nothing that this transaction changed. */
    static boolean comesBehind(long lane, int pts, View<OutboxModel> view) {
        return !view.mine().contains(Row.head(lane))
                && view.model()
                        .head(lane)
                        .filter(head -> head.place().pts() <= pts)
                        .isPresent();
    }

    private static boolean wasDrained(long lane, View<OutboxModel> now) {
        return !now.isReadCommitted()
                && now.model().head(lane).isPresent()
                && now.latest().head(lane).isEmpty()
                && !now.model().isReadyAgain(lane);
    }

    private boolean isLower(long lane, Place event, View<OutboxModel> now) {
        boolean isBeforeFailed = now.model()
                .failedEvent(lane)
                .filter(failed -> event.compareTo(failed) < 0)
                .isPresent();
        boolean isHeldBack = now.model()
                .failedEvent(lane)
                .filter(failed -> failed.id().equals(heads.get(lane)))
                .isPresent();
        Violation.unless(
                !isBeforeFailed || !isHeldBack || !now.isSure(), "lane %s is still held back after %s", lane, event);
        return isBeforeFailed && !isHeldBack;
    }
}
