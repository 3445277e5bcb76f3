package io.lanequeue.worker;

import io.lanequeue.outbox.Event;
import io.lanequeue.schema.TargetUserId;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What the handlers of all workers see of each lane, whose events have pts 1, 2, …: first deliveries ascend, and no
 * lane is with two handlers at once.
 */
final class Deliveries {

    private final Map<TargetUserId, Integer> last = new ConcurrentHashMap<>();
    private final Set<TargetUserId> atWork = ConcurrentHashMap.newKeySet();
    private final Queue<String> mistakes = new ConcurrentLinkedQueue<>();
    private final Queue<String> repetitions = new ConcurrentLinkedQueue<>();

    void deliver(Event event) {
        if (!atWork.add(event.targetUserId())) {
            mistakes.add(event + " beside another one");
        }
        int before = last.getOrDefault(event.targetUserId(), 0);
        if (event.pts() <= before) {
            repetitions.add(event + " after " + before);
        } else {
            if (event.pts() > before + 1) {
                mistakes.add(event + " after " + before);
            }
            last.put(event.targetUserId(), event.pts());
        }
        atWork.remove(event.targetUserId());
    }

    /** The pts of the event that came last for the first time, of each user. */
    Map<TargetUserId, Integer> last() {
        return Map.copyOf(last);
    }

    List<String> mistakes() {
        return List.copyOf(mistakes);
    }

    /** Events that came again. Of a worker that loses its database there may be some. */
    List<String> repetitions() {
        return List.copyOf(repetitions);
    }
}
