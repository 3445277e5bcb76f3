package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;

import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.RepoId;
import io.lanequeue.testing.QueueCall;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jooq.DSLContext;

/** Every public call that reaches the database, each with a queue on which it has something to do. */
public enum EffectOperation implements QueueCall {
    ENQUEUE(dsl -> context -> Calls.PRODUCER.enqueue(context, Calls.EFFECT)),
    ENQUEUE_ALL(dsl -> context -> Calls.PRODUCER.enqueueAll(context, List.of(Calls.EFFECT, Calls.KEYED))),
    CLAIM(dsl -> {
        Calls.enqueue(dsl);
        return context -> Calls.CONSUMER.claim(context, new RepoClaimRequest(Calls.REPO, "worker", 1));
    }),
    DISPATCH(dsl -> {
        Calls.enqueue(dsl);
        return Calls::dispatch;
    }),
    DISPATCH_WITH_A_CAP(dsl -> {
        Calls.enqueue(dsl);
        return context -> Calls.CONSUMER.dispatch(
                context, DispatchRequest.by("worker").withCap(1).excluding(Set.of(new RepoId("other"))));
    }),
    DISPATCH_THAT_PROMOTES(dsl -> {
        Calls.PRODUCER.enqueue(dsl, Calls.EFFECT.withDelay(Duration.ZERO));
        return Calls::dispatch;
    }),
    DISPATCH_THAT_SETTLES(dsl -> {
        Calls.emptyHead(dsl);
        return Calls::dispatch;
    }),
    COMPLETE(dsl -> {
        List<EffectClaim> claims = Calls.claimed(dsl);
        return context -> Calls.CONSUMER.complete(context, claims);
    }),
    COMPLETE_OF_REPO(dsl -> {
        List<EffectClaim> claims = Calls.claimed(dsl);
        return context -> Calls.CONSUMER.complete(context, Calls.REPO, claims);
    }),
    FAIL(dsl -> {
        EffectClaim claim = Calls.claimed(dsl).get(0);
        return context -> Calls.CONSUMER.fail(context, List.of(new EffectFailure(claim, "poison")));
    }),
    RETRY(dsl -> {
        EffectClaim claim = Calls.claimed(dsl).get(0);
        return context -> Calls.CONSUMER.retry(context, List.of(new EffectRetry(claim, Duration.ofDays(1), "error")));
    }),
    RELEASE(dsl -> {
        List<EffectClaim> claims = Calls.claimed(dsl);
        return context -> Calls.CONSUMER.release(context, claims);
    }),
    RELEASE_THAT_IS_SUPERSEDED(dsl -> {
        Calls.PRODUCER.enqueue(dsl, Calls.KEYED);
        List<EffectClaim> claims = EffectFixture.claims(Calls.dispatch(dsl));
        Calls.PRODUCER.enqueue(dsl, Calls.KEYED);
        return context -> Calls.CONSUMER.release(context, claims);
    }),
    EXTEND(dsl -> {
        List<EffectClaim> claims = Calls.claimed(dsl);
        return context -> Calls.CONSUMER.extend(context, claims);
    }),
    REQUEUE_STALE(dsl -> {
        Calls.staleClaim(dsl);
        return context -> Calls.UPKEEP.requeueStale(context, Duration.ofHours(1), 2, 10);
    }),
    REQUEUE_STALE_THAT_FAILS(dsl -> {
        Calls.staleClaim(dsl);
        return context -> Calls.UPKEEP.requeueStale(context, Duration.ofHours(1), 1, 10);
    }),
    PRUNE_DONE(dsl -> {
        Calls.CONSUMER.complete(dsl, Calls.claimed(dsl));
        return context -> Calls.UPKEEP.pruneDone(context, Duration.ZERO, 10);
    }),
    PRUNE_FAILED(dsl -> {
        Calls.failed(dsl);
        return context -> Calls.UPKEEP.pruneFailed(context, Duration.ZERO, 10);
    }),
    REDRIVE(dsl -> {
        EffectId failed = Calls.failed(dsl);
        return context -> Calls.OPERATOR.redrive(context, List.of(failed));
    }),
    REDRIVE_REPO(dsl -> {
        Calls.failed(dsl);
        return context -> Calls.OPERATOR.redrive(context, Calls.REPO, 10);
    }),
    CANCEL(dsl -> {
        EffectId effect = Calls.enqueue(dsl);
        return context -> Calls.OPERATOR.cancel(context, List.of(effect), "not wanted");
    }),
    REPAIR(dsl -> {
        Calls.emptyHead(dsl);
        return context -> Calls.AUDIT.repair(context);
    }),
    COUNTS(dsl -> {
        Calls.enqueue(dsl);
        return context -> Calls.OPERATOR.counts(context, Calls.REPO, 10);
    }),
    UNTIL_DUE(dsl -> {
        Calls.enqueue(dsl);
        return context -> Calls.CONSUMER.untilDue(
                context, DispatchRequest.by("worker").withCap(1).excluding(Set.of(new RepoId("other"))));
    }),
    OLDEST_WAITING(dsl -> {
        Calls.enqueue(dsl);
        return context -> Calls.OPERATOR.oldestWaiting(context, 10);
    }),
    TOTALS(dsl -> {
        Calls.enqueue(dsl);
        return context -> Calls.OPERATOR.totals(context, 10);
    }),
    FAILED(dsl -> {
        Calls.failed(dsl);
        return context -> Calls.OPERATOR.failed(context, FailedQuery.of(Calls.REPO));
    }),
    DISAGREEMENTS(dsl -> {
        Calls.emptyHead(dsl);
        return context -> Calls.AUDIT.disagreements(context, 10);
    }),
    FAILED_OF_THE_NEXT_PAGE(dsl -> {
        EffectId failed = Calls.failed(dsl);
        return context ->
                Calls.OPERATOR.failed(context, FailedQuery.of(Calls.REPO).after(failed));
    });

    private final Function<DSLContext, Function<DSLContext, Object>> preparation;

    EffectOperation(Function<DSLContext, Function<DSLContext, Object>> preparation) {
        this.preparation = preparation;
    }

    @Override
    public Function<DSLContext, Object> prepare(DSLContext dsl) {
        return preparation.apply(dsl);
    }

    @Override
    public boolean isReadOnly() {
        return compareTo(COUNTS) >= 0;
    }

    private static final class Calls {

        static final EffectProducer PRODUCER = new EffectProducer();
        static final EffectConsumer CONSUMER = new EffectConsumer();
        static final EffectOperator OPERATOR = new EffectOperator();
        static final EffectUpkeep UPKEEP = new EffectUpkeep();
        static final EffectAudit AUDIT = new EffectAudit();
        static final RepoId REPO = new RepoId("repo");
        static final NewEffect EFFECT = NewEffect.of("repo", "{}");
        static final NewEffect KEYED = EFFECT.withDedupeKey("key");

        static EffectId enqueue(DSLContext dsl) {
            return PRODUCER.enqueue(dsl, EFFECT).id();
        }

        static List<ClaimedEffect> dispatch(DSLContext dsl) {
            return CONSUMER.dispatch(dsl, DispatchRequest.by("worker"));
        }

        static List<EffectClaim> claimed(DSLContext dsl) {
            enqueue(dsl);
            return EffectFixture.claims(dispatch(dsl));
        }

        static EffectId failed(DSLContext dsl) {
            EffectClaim claim = claimed(dsl).get(0);
            CONSUMER.fail(dsl, List.of(new EffectFailure(claim, "poison")));
            return claim.effect();
        }

        static void staleClaim(DSLContext dsl) {
            claimed(dsl);
            dsl.update(EFFECT_QUEUE)
                    .set(EFFECT_QUEUE.CLAIMED_AT, EffectsByHand.clock(dsl).minus(Duration.ofDays(1)))
                    .execute();
        }

        /** As an enqueue leaves one that pinned it and was rolled back. */
        static void emptyHead(DSLContext dsl) {
            dsl.insertInto(EFFECT_QUEUE_REPO_HEADS, EFFECT_QUEUE_REPO_HEADS.REPO_ID)
                    .values(REPO)
                    .execute();
        }
    }
}
