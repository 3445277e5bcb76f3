package io.lanequeue.interleavings;

import static io.lanequeue.interleavings.Repo.CONSUMER;
import static io.lanequeue.interleavings.Repo.OPERATOR;
import static io.lanequeue.interleavings.Repo.PRODUCER;
import static io.lanequeue.interleavings.RepoScene.AMISS;
import static io.lanequeue.interleavings.RepoScene.BUSY;
import static io.lanequeue.interleavings.RepoScene.EFFECT_DUE;
import static io.lanequeue.interleavings.RepoScene.EMPTY_HEAD;
import static io.lanequeue.interleavings.RepoScene.LAST_IN_FLIGHT;
import static io.lanequeue.interleavings.RepoScene.LAST_WAITING;
import static io.lanequeue.interleavings.RepoScene.NO_HEAD;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;

import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectAudit;
import io.lanequeue.effects.EffectClaim;
import io.lanequeue.effects.EffectFailure;
import io.lanequeue.effects.EffectReport;
import io.lanequeue.effects.EffectRetry;
import io.lanequeue.effects.EffectUpkeep;
import io.lanequeue.effects.Enqueued;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.effects.Redrive;
import io.lanequeue.effects.RepoClaimRequest;
import io.lanequeue.effects.StaleReport;
import io.lanequeue.interleavings.RepoLedger.Standing;
import io.lanequeue.schema.EffectId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jooq.DSLContext;

/** The calls on repositories. */
enum RepoOperation implements Operation<Repo, RepoLedger> {
    ENQUEUE(
            "enqueue",
            repo -> enqueue(repo.effect()),
            LAST_WAITING,
            LAST_IN_FLIGHT,
            BUSY,
            EFFECT_DUE,
            EMPTY_HEAD,
            AMISS),
    ENQUEUE_STANDING(
            "enqueue, key waits",
            repo -> enqueue(repo.effect().withDedupeKey(PreparedEffect.KEY_WAITING)),
            LAST_WAITING,
            BUSY,
            EFFECT_DUE,
            AMISS),
    ENQUEUE_KEYED(
            "enqueue, new key",
            repo -> enqueue(repo.effect().withDedupeKey(PreparedEffect.KEY_IN_FLIGHT)),
            LAST_IN_FLIGHT,
            BUSY,
            EFFECT_DUE,
            AMISS),
    ENQUEUE_FIRST("first enqueue", repo -> enqueue(repo.effect()), NO_HEAD),
    DISPATCH("dispatch", repo -> RepoOperation::dispatch, LAST_WAITING, BUSY, AMISS),
    CLAIM("claim", RepoOperation::claim, LAST_WAITING, BUSY, AMISS),
    SETTLE("settle", repo -> RepoOperation::dispatch, EMPTY_HEAD),
    PROMOTE("promote", repo -> RepoOperation::dispatch, EFFECT_DUE),
    COMPLETE(
            "complete",
            repo -> report((dsl, claim) -> CONSUMER.complete(dsl, List.of(claim)), Standing.DONE, repo),
            LAST_IN_FLIGHT,
            BUSY,
            EFFECT_DUE,
            AMISS),
    RETRY(
            "retry",
            repo -> report(
                    (dsl, claim) -> CONSUMER.retry(dsl, List.of(new EffectRetry(claim, Duration.ofHours(1), "error"))),
                    Standing.LATER,
                    repo),
            LAST_IN_FLIGHT,
            BUSY,
            EFFECT_DUE,
            AMISS),
    FAIL(
            "fail",
            repo -> report(
                    (dsl, claim) -> CONSUMER.fail(dsl, List.of(new EffectFailure(claim, "poison"))),
                    Standing.FAILED,
                    repo),
            LAST_IN_FLIGHT,
            BUSY,
            EFFECT_DUE,
            AMISS),
    EXTEND("extend", RepoOperation::extend, LAST_IN_FLIGHT, BUSY, EFFECT_DUE, AMISS),
    RELEASE(
            "release",
            repo -> report((dsl, claim) -> CONSUMER.release(dsl, List.of(claim)), Standing.WAITING, repo),
            LAST_IN_FLIGHT,
            BUSY,
            EFFECT_DUE,
            AMISS),
    REQUEUE_STALE("requeue stale", repo -> RepoOperation::requeueStale, LAST_IN_FLIGHT, BUSY, EFFECT_DUE, AMISS),
    CANCEL("cancel", RepoOperation::cancel, LAST_WAITING, BUSY, EFFECT_DUE, AMISS),
    DELETE_BY_SQL("SQL delete", RepoOperation::deleteBySql, LAST_WAITING, BUSY, EFFECT_DUE, AMISS),
    REDRIVE(
            "redrive",
            RepoOperation::redrive,
            LAST_WAITING,
            LAST_IN_FLIGHT,
            BUSY,
            EFFECT_DUE,
            EMPTY_HEAD,
            NO_HEAD,
            AMISS),
    PRUNE("prune", RepoOperation::prune, LAST_WAITING, LAST_IN_FLIGHT, BUSY, EFFECT_DUE, EMPTY_HEAD, NO_HEAD, AMISS),
    REPAIR("repair", repo -> RepoOperation::repair, AMISS, EMPTY_HEAD);

    private final String title;
    private final Function<Repo, Function<DSLContext, Report<RepoLedger>>> call;
    private final List<RepoScene> scenes;

    RepoOperation(String title, Function<Repo, Function<DSLContext, Report<RepoLedger>>> call, RepoScene... scenes) {
        this.title = title;
        this.call = call;
        this.scenes = List.of(scenes);
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public List<RepoScene> scenes() {
        return scenes;
    }

    @Override
    public Function<DSLContext, Report<RepoLedger>> on(Repo repo) {
        return call.apply(repo);
    }

    private static Function<DSLContext, Report<RepoLedger>> enqueue(NewEffect effect) {
        return dsl -> {
            Enqueued enqueued = PRODUCER.enqueue(dsl, effect);
            return ledger -> ledger.enqueued(enqueued);
        };
    }

    private static Report<RepoLedger> dispatch(DSLContext dsl) {
        List<ClaimedEffect> claimed = CONSUMER.dispatch(dsl, DispatchRequest.by("other worker"));
        return ledger -> ledger.claimed(claimed);
    }

    private static Function<DSLContext, Report<RepoLedger>> claim(Repo repo) {
        return dsl -> {
            List<ClaimedEffect> claimed = CONSUMER.claim(dsl, new RepoClaimRequest(repo.id(), "other worker", 10));
            return ledger -> ledger.claimed(claimed);
        };
    }

    private static Function<DSLContext, Report<RepoLedger>> report(
            BiFunction<DSLContext, EffectClaim, List<EffectReport>> call, Standing standing, Repo repo) {
        return dsl -> {
            EffectReport report = call.apply(dsl, repo.claim()).get(0);
            return ledger -> ledger.reported(report, standing);
        };
    }

    private static Function<DSLContext, Report<RepoLedger>> extend(Repo repo) {
        return dsl -> {
            Map<EffectClaim, Instant> extended = CONSUMER.extend(dsl, List.of(repo.claim()));
            return ledger -> ledger.extended(repo.claim(), extended);
        };
    }

    private static Report<RepoLedger> requeueStale(DSLContext dsl) {
        StaleReport report = new EffectUpkeep().requeueStale(dsl, Duration.ofMinutes(5), Integer.MAX_VALUE, 10);
        return ledger -> ledger.requeued(report);
    }

    private static Function<DSLContext, Report<RepoLedger>> cancel(Repo repo) {
        return dsl -> {
            List<EffectId> cancelled = OPERATOR.cancel(dsl, List.of(repo.last()), "not wanted");
            return ledger -> ledger.cancelled(cancelled);
        };
    }

    private static Function<DSLContext, Report<RepoLedger>> deleteBySql(Repo repo) {
        return dsl -> {
            List<EffectId> deleted = dsl.deleteFrom(EFFECT_QUEUE)
                    .where(EFFECT_QUEUE.ID.eq(repo.last()))
                    .returningResult(EFFECT_QUEUE.ID)
                    .fetch(EFFECT_QUEUE.ID);
            return ledger -> deleted.forEach(ledger::removed);
        };
    }

    private static Function<DSLContext, Report<RepoLedger>> redrive(Repo repo) {
        return dsl -> {
            Redrive redrive = OPERATOR.redrive(dsl, List.of(repo.failed()));
            return ledger -> ledger.redriven(redrive);
        };
    }

    private static Function<DSLContext, Report<RepoLedger>> prune(Repo repo) {
        return dsl -> {
            int pruned = new EffectUpkeep().pruneDone(dsl, Duration.ofMinutes(5), 10);
            return ledger -> {
                if (pruned > 0) {
                    ledger.removed(repo.done());
                }
            };
        };
    }

    /** Changes nothing that a ledger knows of. */
    private static Report<RepoLedger> repair(DSLContext dsl) {
        new EffectAudit().repair(dsl);
        return ledger -> {};
    }
}
