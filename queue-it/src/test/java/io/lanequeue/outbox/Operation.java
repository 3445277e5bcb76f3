package io.lanequeue.outbox;

import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.testing.QueueCall;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jooq.DSLContext;

/** Every public call that reaches the database, each with a queue on which it has something to do. */
public enum Operation implements QueueCall {
    APPEND(dsl -> context -> Calls.PRODUCER.append(context, Calls.event(1))),
    APPEND_ALL(dsl -> context -> Calls.PRODUCER.appendAll(context, List.of(Calls.event(1), Calls.event(2)))),
    CLAIM(dsl -> {
        Calls.append(dsl);
        return Calls::claim;
    }),
    CLAIM_OF_SHARDS(dsl -> {
        Calls.append(dsl);
        return context ->
                Calls.CONSUMER.claim(context, ClaimRequest.by("worker").withShards(LogicalShards.of(0, 1)));
    }),
    CLAIM_THAT_SETTLES(dsl -> {
        Calls.emptied(dsl);
        return Calls::claim;
    }),
    COMPLETE(dsl -> {
        Claim claim = Calls.claimed(dsl);
        return context -> Calls.CONSUMER.complete(context, claim);
    }),
    RELEASE(dsl -> {
        List<Lease> leases =
                Calls.claimed(dsl).lanes().stream().map(LeasedLane::lease).toList();
        return context -> Calls.CONSUMER.release(context, leases);
    }),
    FINISH(dsl -> {
        LeasedLane lane = Calls.claimed(dsl).lanes().get(0);
        List<LaneOutcome> outcomes =
                List.of(LaneOutcome.block(lane, OutboxFixture.ids(lane).get(0), "poison"));
        return context -> Calls.CONSUMER.finish(context, outcomes);
    }),
    EXTEND(dsl -> {
        List<Lease> leases =
                Calls.claimed(dsl).lanes().stream().map(LeasedLane::lease).toList();
        return context -> Calls.CONSUMER.extend(context, leases, Duration.ofHours(1));
    }),
    RETRY_BLOCKED(dsl -> {
        EventId event = Calls.blocked(dsl);
        return context -> Calls.OPERATOR.retryBlocked(context, Calls.LANE, event);
    }),
    DELETE_HEAD(dsl -> {
        EventId event = Calls.append(dsl);
        return context -> Calls.OPERATOR.deleteHead(context, Calls.LANE, event, "test");
    }),
    DELETE_LANE(dsl -> {
        Calls.append(dsl);
        return context -> Calls.OPERATOR.deleteLane(context, Calls.LANE, "test");
    }),
    REDRIVE(dsl -> {
        EventId letter = Calls.deadLetter(dsl);
        return context -> Calls.OPERATOR.redrive(context, List.of(letter));
    }),
    PURGE(dsl -> {
        Calls.deadLetter(dsl);
        return context -> Calls.OPERATOR.purgeDeadLetters(context, Duration.ZERO, 10);
    }),
    REPAIR(dsl -> {
        Calls.emptied(dsl);
        return context -> Calls.AUDIT.repair(context);
    }),
    LANES(dsl -> {
        Calls.append(dsl);
        return context -> Calls.OPERATOR.lanes(context, LaneQuery.of(LaneState.READY));
    }),
    UNTIL_DUE(dsl -> {
        Calls.append(dsl);
        return context -> Calls.CONSUMER.untilDue(context, LogicalShards.all());
    }),
    UNTIL_DUE_IN_SHARDS(dsl -> {
        Calls.append(dsl);
        return context -> Calls.CONSUMER.untilDue(context, LogicalShards.of(0, 1));
    }),
    TOTALS(dsl -> {
        Calls.append(dsl);
        return context -> Calls.OPERATOR.totals(context);
    }),
    DEPTH(dsl -> {
        Calls.append(dsl);
        return context -> Calls.OPERATOR.depth(context, Calls.LANE);
    }),
    DEAD_LETTERS(dsl -> {
        Calls.deadLetter(dsl);
        return context -> Calls.OPERATOR.deadLetters(context, DeadLetterQuery.ofAll());
    }),
    DISAGREEMENTS(dsl -> {
        Calls.emptied(dsl);
        return context -> Calls.AUDIT.disagreements(context, 10);
    }),
    LANES_BACKING_OFF(dsl -> context -> Calls.OPERATOR.lanes(context, LaneQuery.of(LaneState.BACKING_OFF))),
    LANES_LEASED(dsl -> {
        Calls.claimed(dsl);
        return context -> Calls.OPERATOR.lanes(context, LaneQuery.of(LaneState.LEASED));
    }),
    LANES_BLOCKED(dsl -> context -> Calls.OPERATOR.lanes(context, LaneQuery.of(LaneState.BLOCKED))),
    LANES_OF_THE_NEXT_PAGE(dsl -> {
        Calls.append(dsl);
        LaneQuery query = LaneQuery.of(LaneState.READY);
        LaneStatus last = Calls.OPERATOR.lanes(dsl, query).get(0);
        return context -> Calls.OPERATOR.lanes(context, query.after(last));
    }),
    LANES_BLOCKED_OF_THE_NEXT_PAGE(dsl -> {
        Calls.blocked(dsl);
        LaneQuery query = LaneQuery.of(LaneState.BLOCKED);
        LaneStatus last = Calls.OPERATOR.lanes(dsl, query).get(0);
        return context -> Calls.OPERATOR.lanes(context, query.after(last));
    }),
    DEAD_LETTERS_OF_THE_NEXT_PAGE(dsl -> {
        EventId letter = Calls.deadLetter(dsl);
        return context ->
                Calls.OPERATOR.deadLetters(context, DeadLetterQuery.ofAll().after(letter));
    }),
    DEAD_LETTERS_OF_A_LANE(dsl -> {
        Calls.deadLetter(dsl);
        return context -> Calls.OPERATOR.deadLetters(context, DeadLetterQuery.of(Calls.LANE));
    }),
    DEAD_LETTERS_OF_THE_NEXT_PAGE_OF_A_LANE(dsl -> {
        EventId letter = Calls.deadLetter(dsl);
        return context -> Calls.OPERATOR.deadLetters(
                context, DeadLetterQuery.of(Calls.LANE).after(letter));
    });

    private final Function<DSLContext, Function<DSLContext, Object>> preparation;

    Operation(Function<DSLContext, Function<DSLContext, Object>> preparation) {
        this.preparation = preparation;
    }

    @Override
    public Function<DSLContext, Object> prepare(DSLContext dsl) {
        return preparation.apply(dsl);
    }

    @Override
    public boolean isReadOnly() {
        return compareTo(LANES) >= 0;
    }

    private static final class Calls {

        static final OutboxProducer PRODUCER = new OutboxProducer();
        static final OutboxConsumer CONSUMER = new OutboxConsumer();
        static final OutboxOperator OPERATOR = new OutboxOperator();
        static final OutboxAudit AUDIT = new OutboxAudit();
        static final TargetUserId LANE = new TargetUserId(1);

        static NewEvent event(int pts) {
            return NewEvent.of(LANE.value(), pts, "message", "{}");
        }

        static EventId append(DSLContext dsl) {
            PRODUCER.append(dsl, event(2));
            return PRODUCER.append(dsl, event(1));
        }

        static Claim claim(DSLContext dsl) {
            return CONSUMER.claim(dsl, ClaimRequest.by("worker"));
        }

        static Claim claimed(DSLContext dsl) {
            append(dsl);
            return claim(dsl);
        }

        static EventId blocked(DSLContext dsl) {
            LeasedLane lane = claimed(dsl).lanes().get(0);
            EventId event = OutboxFixture.ids(lane).get(0);
            CONSUMER.finish(dsl, List.of(LaneOutcome.block(lane, event, "poison")));
            return event;
        }

        static EventId deadLetter(DSLContext dsl) {
            EventId event = append(dsl);
            OPERATOR.deleteHead(dsl, LANE, event, "test");
            return event;
        }

        /** Leaves a head whose lane is empty. */
        static void emptied(DSLContext dsl) {
            Claim claim = claimed(dsl);
            dsl.execute("delete from {0}", io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX);
            CONSUMER.release(dsl, claim.lanes().stream().map(LeasedLane::lease).toList());
        }
    }
}
