package io.lanequeue.worker;

import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LaneOutcome;
import io.lanequeue.outbox.LeasedLane;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A leased lane in hand: its events go to the handler one after the other, until one fails or the worker stops. */
final class HeldLane extends Held {

    private final LeasedLane lane;
    private final EventHandler handler;
    private final RetryPolicy policy;
    private final HandlerCall call;

    private LaneOutcome outcome;
    private Ending ending = Ending.RELEASED;
    private @Nullable Throwable failure;

    HeldLane(LeasedLane lane, EventHandler handler, RetryPolicy policy, HandlerCall call) {
        this.lane = lane;
        this.handler = handler;
        this.policy = policy;
        this.call = call;
        this.outcome = LaneOutcome.released(lane);
    }

    LeasedLane lane() {
        return lane;
    }

    LaneOutcome outcome() {
        return outcome;
    }

    /** What becomes of the lane if the database takes the outcome as it is. */
    Ending ending() {
        return ending;
    }

    @Override
    Object subject() {
        return lane.lease().lane();
    }

    @Override
    void handle() {
        List<Event> events = lane.events();
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            if (!mayBeginAt(call.timing().nanos())) {
                end(i, Verdict.untried());
                return;
            }
            Attempt attempt = new Attempt(lane.attemptsOf(event.id()), i == 0 ? lane.lastError() : null, handling);
            if (attempt.number() > policy.maxAttempts()) {
                end(i, Verdict.withoutOutcome(attempt));
                return;
            }
            try {
                call.run(() -> handler.handle(event, attempt));
            } catch (Throwable e) { // also an Error: whatever it was, the lane must not stay behind
                failure = e;
                end(i, Verdict.on(e, attempt, policy));
                return;
            }
        }
        outcome = LaneOutcome.completed(lane);
        ending = Ending.DELIVERED;
    }

    /** What is before this event was delivered. */
    private void end(int index, Verdict verdict) {
        Event event = lane.events().get(index);
        ending = verdict.ending();
        outcome = switch (ending) {
            case GIVEN_UP -> LaneOutcome.block(lane, event.id(), verdict.error());
            case FAILED -> LaneOutcome.retry(lane, event.id(), verdict.delay(), verdict.error());
            default -> deliveredBefore(index);
        };
    }

    private LaneOutcome deliveredBefore(int index) {
        return index == 0
                ? LaneOutcome.released(lane)
                : LaneOutcome.deliveredThrough(
                        lane, lane.events().get(index - 1).id());
    }

    @Override
    void refuse(String reason) {
        failure = new IllegalStateException(reason);
        end(0, Verdict.on(failure, new Attempt(lane.attempts(), lane.lastError(), handling), policy));
    }

    @Override
    @Nullable
    Throwable failure() {
        return failure;
    }

    @Override
    public String toString() {
        return "lane " + lane.lease().lane();
    }
}
