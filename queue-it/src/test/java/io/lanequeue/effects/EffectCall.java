package io.lanequeue.effects;

import static io.lanequeue.testing.Units.MANY;
import static io.lanequeue.testing.Units.ONE;

import io.lanequeue.testing.Cost;
import io.lanequeue.testing.LookUps;
import io.lanequeue.testing.Passes;
import io.lanequeue.testing.PlannedCall;
import io.lanequeue.testing.Units;
import java.util.function.ToIntFunction;
import org.jooq.DSLContext;

/**
 * The calls of the effect queue whose plans are pinned: how much at once, at most how many rows and blocks for each.
 */
enum EffectCall implements PlannedCall {
    ENQUEUE(ONE, LookUps.of(0, 0), EffectWork::enqueueAll),
    ENQUEUE_ALL(MANY, LookUps.of(2, 20), EffectWork::enqueueAll),
    ENQUEUE_ALL_TO_NEW_REPOS(MANY, LookUps.of(2, 35), EffectWork::enqueueAllToNewRepos),
    ENQUEUE_ALL_TO_ONE_REPO(MANY, LookUps.of(1, 12), EffectWork::enqueueAllToOneRepo),
    ENQUEUE_ALL_FOR_LATER(MANY, LookUps.of(1, 15), EffectWork::enqueueAllForLater),
    ENQUEUE_ALL_THAT_WAIT_ALREADY(MANY, LookUps.of(3, 30), EffectWork::enqueueAllThatWaitAlready),
    CLAIM(MANY, LookUps.of(4, 25).inOrder(), EffectWork::claim),
    DISPATCH(MANY, LookUps.of(6, 25).inOrder().ofEach(EffectWork::lookedAt), EffectWork::dispatch),
    DISPATCH_PAST_AN_EXCLUDED_REPO(
            MANY, LookUps.of(8, 45).inOrder().ofEach(EffectWork::lookedAt), EffectWork::dispatchPastAnExcludedRepo),
    DISPATCH_PAST_A_CAPPED_REPO(
            MANY, LookUps.of(8, 45).inOrder().ofEach(EffectWork::lookedAt), EffectWork::dispatchPastACappedRepo),
    DISPATCH_THAT_PROMOTES(
            MANY, LookUps.of(12, 60).inOrder().ofEach(EffectWork::lookedAt), EffectWork::dispatchThatPromotes),
    DISPATCH_WHEN_MANY_ARE_DUE(
            ONE, LookUps.of(12, 60).inOrder().ofEach((units, repos) -> 1_000), EffectWork::dispatchWhenManyAreDue),
    DISPATCH_THAT_SETTLES(
            MANY, LookUps.of(12, 60).inOrder().ofEach(EffectWork::lookedAt), EffectWork::dispatchThatSettles),
    UNTIL_DUE(ONE, LookUps.of(0, 0).inOrder(), EffectWork::untilDue),
    COMPLETE(MANY, LookUps.of(25, 90), EffectWork::complete),
    COMPLETE_OF_REPO(MANY, LookUps.of(12, 40), EffectWork::completeOfRepo),
    COMPLETE_WITH_THE_LAST_EFFECTS(MANY, LookUps.of(40, 120), EffectWork::completeWithTheLastEffects),
    COMPLETE_ABOVE_READ_COMMITTED(MANY, LookUps.of(40, 120), EffectWork::completeAboveReadCommitted),
    COMPLETE_UNDER_LOST_CLAIMS(MANY, LookUps.of(5, 12), EffectWork::completeUnderLostClaims),
    FAIL(MANY, LookUps.of(25, 90), EffectWork::fail),
    RETRY(MANY, LookUps.of(25, 90), EffectWork::retry),
    RETRY_AT_ONCE(MANY, LookUps.of(25, 90), EffectWork::retryAtOnce),
    RELEASE(MANY, LookUps.of(25, 90), EffectWork::release),
    RELEASE_THAT_IS_SUPERSEDED(MANY, LookUps.of(15, 50), EffectWork::releaseThatIsSuperseded),
    EXTEND(MANY, LookUps.of(8, 35), EffectWork::extend),
    REQUEUE_STALE(MANY, LookUps.of(30, 100), EffectWork::requeueStale),
    REQUEUE_STALE_THAT_FAILS(MANY, LookUps.of(30, 100), EffectWork::requeueStaleThatFails),
    PRUNE_DONE(MANY, LookUps.of(2, 8), EffectWork::pruneDone),
    PRUNE_FAILED(MANY, LookUps.of(2, 8), EffectWork::pruneFailed),
    REDRIVE(MANY, LookUps.of(8, 40), EffectWork::redrive),
    REDRIVE_OF_REPO(MANY, LookUps.of(8, 40), EffectWork::redriveOfRepo),
    CANCEL(MANY, LookUps.of(15, 70), EffectWork::cancel),
    COUNTS(MANY, LookUps.of(6, 6), EffectWork::counts),
    FAILED(MANY, LookUps.of(2, 3), EffectWork::failed),
    FAILED_NEXT_PAGE(MANY, LookUps.of(2, 3), EffectWork::failedNextPage),
    OLDEST_WAITING(ONE, Passes.of(2, "effect_queue_repo_heads"), EffectWork::oldestWaiting),
    TOTALS(ONE, Passes.of(2, "effect_queue_repo_heads"), EffectWork::totals),
    DISAGREEMENTS(ONE, Passes.of(1, "effect_queue", "effect_queue_repo_heads"), EffectWork::disagreements),
    REPAIR(ONE, Passes.of(4, "effect_queue", "effect_queue_repo_heads"), EffectWork::repair);

    private final Units units;
    private final Cost cost;
    private final Preparation preparation;

    EffectCall(Units units, Cost cost, Preparation preparation) {
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
