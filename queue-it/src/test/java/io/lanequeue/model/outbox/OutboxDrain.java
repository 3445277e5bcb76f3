package io.lanequeue.model.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;

import io.lanequeue.model.Violation;
import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.LaneQuery;
import io.lanequeue.outbox.LaneState;
import io.lanequeue.outbox.OutboxAudit;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.outbox.OutboxOperator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;

/** Delivers what is left, when every transaction has ended and every lease and delay is over. */
final class OutboxDrain {

    private static final OutboxOperator OPERATOR = new OutboxOperator();

    private OutboxDrain() {}

    static void drain(OutboxModel committed, DSLContext dsl) {
        OPERATOR.lanes(dsl, LaneQuery.of(LaneState.BLOCKED))
                .forEach(lane -> OPERATOR.retryBlocked(dsl, lane.lane(), lane.headId()));

        List<Place> delivered = deliverAll(dsl);
        for (long lane : OutboxModel.LANES) {
            List<Place> ofLane =
                    delivered.stream().filter(event -> event.lane() == lane).toList();
            Violation.unless(
                    ofLane.equals(committed.events(lane)),
                    "I2, I4: of lane %s in the end %s are delivered, not %s",
                    lane,
                    ofLane,
                    committed.events(lane));
        }
        Violation.unless(dsl.fetchCount(DISPATCH_OUTBOX_USER_HEADS) == 0, "in the end heads are left");
        var disagreements = new OutboxAudit().disagreements(dsl, 10);
        Violation.unless(disagreements.isEmpty(), "in the end there is %s", disagreements);
    }

    private static List<Place> deliverAll(DSLContext dsl) {
        OutboxConsumer consumer = OutboxConsumer.at(Instant.now().plus(Duration.ofDays(2)));
        List<Place> delivered = new ArrayList<>();
        ClaimRequest request = ClaimRequest.by("drain").withEventsPerLane(2);
        for (Claim claim = consumer.claim(dsl, request); !claim.isIdle(); claim = consumer.claim(dsl, request)) {
            claim.events().stream().map(Place::of).forEach(delivered::add);
            consumer.complete(dsl, claim);
        }
        return delivered;
    }
}
