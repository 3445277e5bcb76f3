package io.lanequeue.model.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_DEAD_LETTERS;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;

import io.lanequeue.model.Operation;
import io.lanequeue.model.Queue;
import io.lanequeue.model.outbox.OutboxModel.Which;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jooq.DSLContext;

/** The dispatch outbox: two lanes, each operation of the library, and what other programs may do. */
public final class OutboxQueue implements Queue<OutboxModel> {

    @Override
    public OutboxModel empty(DSLContext dsl) {
        dsl.truncate(DISPATCH_OUTBOX, DISPATCH_OUTBOX_USER_HEADS, DISPATCH_OUTBOX_DEAD_LETTERS)
                .execute();
        return new OutboxModel();
    }

    @Override
    public Operation<OutboxModel> operation(RandomGenerator random) {
        int any = random.nextInt(6);
        return switch (random.nextInt(40)) {
            case 0, 1, 2, 3, 4, 5 -> append(random, 1);
            case 6, 7 -> append(random, 2 + any % 2);
            case 8, 9, 10, 11, 12 -> new ClaimLanes(Set.copyOf(OutboxModel.LANES), any % 2 == 0 ? 1 : 5, 1 + any % 3);
            case 13 -> new ClaimLanes(Set.of(1L), any % 2 == 0 ? 1 : 5, 1 + any % 3);
            case 14, 15, 16, 17, 18, 19, 20 -> new Finish(any, 1, Which.PRESENT, outcome(random));
            case 21, 22 -> new Finish(0, 2, Which.PRESENT, outcome(random));
            case 23, 24 -> new Finish(any, 1 + any % 2, Which.STALE, outcome(random));
            case 25 -> new Extend(any, any % 2 == 0 ? Which.PRESENT : Which.STALE);
            case 26, 27 -> new TimePasses(any);
            case 28 -> new RetryBlocked(any);
            case 29 -> new DeleteHead(lane(random));
            case 30 -> new DeleteLane(lane(random));
            case 31 -> new Redrive(1 + any % 3);
            case 32, 33 -> new RepairHeads();
            case 34, 35, 36 -> new DeleteBySql(any, 1 + any % 3);
            case 37 -> new UpdatePayload(lane(random));
            case 38 -> any == 0 ? new Truncate() : new Purge();
            default -> new Look();
        };
    }

    private static Append append(RandomGenerator random, int count) {
        return new Append(Stream.generate(() -> new Append.Entry(lane(random), random.nextInt(5)))
                .limit(count)
                .toList());
    }

    private static long lane(RandomGenerator random) {
        return OutboxModel.LANES.get(random.nextInt(OutboxModel.LANES.size()));
    }

    /** Mostly completed: what is hard happens where lanes run empty. */
    private static Outcome outcome(RandomGenerator random) {
        Outcome.Kind[] kinds = Outcome.Kind.values();
        Outcome.Kind kind = random.nextBoolean() ? Outcome.Kind.COMPLETED : kinds[random.nextInt(kinds.length)];
        return new Outcome(kind, random.nextInt(3));
    }

    @Override
    public void look(OutboxModel committed, DSLContext observer) {
        committed.sawHeads(OutboxCheck.heads(observer));
    }

    @Override
    public void check(OutboxModel committed, DSLContext observer) {
        OutboxCheck.check(committed, observer);
    }

    @Override
    public void drain(OutboxModel committed, DSLContext dsl) {
        OutboxDrain.drain(committed, dsl);
    }
}
