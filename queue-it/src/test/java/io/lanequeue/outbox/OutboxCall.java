package io.lanequeue.outbox;

import static io.lanequeue.testing.Units.MANY;
import static io.lanequeue.testing.Units.ONE;

import io.lanequeue.testing.Cost;
import io.lanequeue.testing.LookUps;
import io.lanequeue.testing.Passes;
import io.lanequeue.testing.PlannedCall;
import io.lanequeue.testing.Units;
import java.util.function.ToIntFunction;
import org.jooq.DSLContext;

/** The calls of the outbox whose plans are pinned: how much at once, at most how many rows and blocks for each. */
enum OutboxCall implements PlannedCall {
    APPEND(ONE, LookUps.of(0, 0), OutboxWork::append),
    APPEND_IN_FRONT(ONE, LookUps.of(0, 0), OutboxWork::appendInFront),
    APPEND_ALL(MANY, LookUps.of(2, 15), OutboxWork::appendAll),
    APPEND_ALL_IN_FRONT(MANY, LookUps.of(5, 40), OutboxWork::appendAllInFront),
    APPEND_ALL_TO_NEW_LANES(MANY, LookUps.of(2, 30), OutboxWork::appendAllToNewLanes),
    APPEND_ALL_TO_ONE_LANE(MANY, LookUps.of(1, 10), OutboxWork::appendAllToOneLane),
    CLAIM(MANY, LookUps.of(5, 40), OutboxWork::claim),
    CLAIM_OF_ONE_LANE(MANY, LookUps.of(2, 4), OutboxWork::claimOfOneLane),
    CLAIM_OF_SHARDS(MANY, LookUps.of(8, 50), OutboxWork::claimOfShards),
    CLAIM_THAT_SETTLES(MANY, LookUps.of(15, 60), OutboxWork::claimThatSettles),
    CLAIM_THAT_CANNOT_SETTLE(MANY, LookUps.of(15, 60), OutboxWork::claimThatCannotSettle),
    UNTIL_DUE(ONE, LookUps.of(0, 0).inOrder(), OutboxWork::untilDue),
    UNTIL_DUE_IN_SHARDS(ONE, LookUps.of(50, 200), OutboxWork::untilDueInShards),
    COMPLETE(MANY, LookUps.of(45, 120), OutboxWork::complete),
    COMPLETE_ONE_LANE(MANY, LookUps.of(10, 40), OutboxWork::completeOneLane),
    COMPLETE_WITH_THE_LAST_EVENTS(MANY, LookUps.of(50, 140), OutboxWork::completeWithTheLastEvents),
    COMPLETE_ABOVE_READ_COMMITTED(MANY, LookUps.of(45, 140), OutboxWork::completeAboveReadCommitted),
    COMPLETE_UNDER_LOST_LEASES(MANY, LookUps.of(5, 10), OutboxWork::completeUnderLostLeases),
    RELEASE(MANY, LookUps.of(12, 40), OutboxWork::release),
    FINISH(MANY, LookUps.of(30, 90), OutboxWork::finish),
    FINISH_ONE_LANE(MANY, LookUps.of(10, 40), OutboxWork::finishOneLane),
    EXTEND(MANY, LookUps.of(10, 35), OutboxWork::extend),
    RETRY_BLOCKED(ONE, LookUps.of(0, 0), OutboxWork::retryBlocked),
    DELETE_HEAD(ONE, LookUps.of(0, 0), OutboxWork::deleteHead),
    DELETE_LANE(MANY, LookUps.of(5, 15), OutboxWork::deleteLane),
    REDRIVE(MANY, LookUps.of(6, 35), OutboxWork::redrive),
    PURGE(MANY, LookUps.of(2, 8), OutboxWork::purge),
    LANES_READY(MANY, LookUps.of(6, 10), OutboxWork::lanesReady),
    LANES_READY_NEXT_PAGE(MANY, LookUps.of(6, 10), OutboxWork::lanesReadyNextPage),
    LANES_BACKING_OFF(MANY, LookUps.of(6, 10).ofEach(OutboxWork::waitingLanes), OutboxWork::lanesBackingOff),
    LANES_LEASED(MANY, LookUps.of(6, 10).ofEach(OutboxWork::waitingLanes), OutboxWork::lanesLeased),
    LANES_BLOCKED(MANY, LookUps.of(6, 10).inOrder(), OutboxWork::lanesBlocked),
    LANES_BLOCKED_NEXT_PAGE(MANY, LookUps.of(6, 10), OutboxWork::lanesBlockedNextPage),
    DEPTH(MANY, LookUps.of(3, 3), OutboxWork::depth),
    DEAD_LETTERS(MANY, LookUps.of(2, 3).inOrder(), OutboxWork::deadLetters),
    DEAD_LETTERS_NEXT_PAGE(MANY, LookUps.of(2, 3), OutboxWork::deadLettersNextPage),
    DEAD_LETTERS_OF_LANE(MANY, LookUps.of(2, 3), OutboxWork::deadLettersOfLane),
    DEAD_LETTERS_OF_LANE_NEXT_PAGE(MANY, LookUps.of(2, 3), OutboxWork::deadLettersOfLaneNextPage),
    TOTALS(ONE, Passes.of(1, "dispatch_outbox_user_heads"), OutboxWork::totals),
    DISAGREEMENTS(ONE, Passes.of(1, "dispatch_outbox", "dispatch_outbox_user_heads"), OutboxWork::disagreements),
    REPAIR(ONE, Passes.of(5, "dispatch_outbox", "dispatch_outbox_user_heads"), OutboxWork::repair);

    private final Units units;
    private final Cost cost;
    private final Preparation preparation;

    OutboxCall(Units units, Cost cost, Preparation preparation) {
        this.units = units;
        this.cost = cost;
        this.preparation = preparation;
    }

    @Override
    public ToIntFunction<DSLContext> prepare(DSLContext dsl, int units) {
        return preparation.prepare(dsl, units);
    }

    @Override
    public Units units() {
        return units;
    }

    @Override
    public Cost cost() {
        return cost;
    }
}
