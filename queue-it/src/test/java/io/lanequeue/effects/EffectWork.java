package io.lanequeue.effects;

import static io.lanequeue.effects.EffectBacklog.repo;

import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.RepoId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jooq.DSLContext;

/** Gives the calls of an {@link EffectCall} their work, in an {@link EffectBacklog}. */
final class EffectWork {

    private static final EffectProducer PRODUCER = new EffectProducer();
    private static final EffectConsumer CONSUMER = new EffectConsumer();
    private static final EffectUpkeep UPKEEP = new EffectUpkeep();
    private static final EffectOperator OPERATOR = new EffectOperator();
    private static final EffectAudit AUDIT = new EffectAudit();

    /** The repository in front. */
    private static final RepoId FRONT = new RepoId(repo(0));

    /** Repositories that nobody used before, so that nothing is left there of what was rolled back. */
    private static final AtomicLong NEW_REPOS = new AtomicLong(20_000_000);

    private EffectWork() {}

    private static long newRepos(int count) {
        return NEW_REPOS.getAndAdd(count);
    }

    private static List<NewEffect> oneOfEach(long firstRepo, int repos) {
        return IntStream.range(0, repos)
                .mapToObj(number -> NewEffect.of(repo(firstRepo + number), ""))
                .toList();
    }

    private static List<NewEffect> allOf(RepoId repo, int effects) {
        return IntStream.range(0, effects)
                .mapToObj(number -> NewEffect.of(repo.value(), ""))
                .toList();
    }

    private static List<NewEffect> allOfWithKeys(RepoId repo, int effects) {
        return IntStream.range(0, effects)
                .mapToObj(number -> NewEffect.of(repo.value(), "").withDedupeKey("key " + number))
                .toList();
    }

    // The producer's

    private static ToIntFunction<DSLContext> enqueue(List<NewEffect> effects, Enqueued.Status expected) {
        return context -> (int) PRODUCER.enqueueAll(context, effects).stream()
                .filter(enqueued -> enqueued.status() == expected)
                .count();
    }

    static ToIntFunction<DSLContext> enqueueAll(DSLContext dsl, int effects) {
        return enqueue(oneOfEach(0, effects), Enqueued.Status.ADDED);
    }

    static ToIntFunction<DSLContext> enqueueAllToNewRepos(DSLContext dsl, int effects) {
        return enqueue(oneOfEach(newRepos(effects), effects), Enqueued.Status.ADDED);
    }

    static ToIntFunction<DSLContext> enqueueAllToOneRepo(DSLContext dsl, int effects) {
        return enqueue(allOf(FRONT, effects), Enqueued.Status.ADDED);
    }

    static ToIntFunction<DSLContext> enqueueAllForLater(DSLContext dsl, int effects) {
        UnaryOperator<NewEffect> later = effect -> effect.withDelay(Duration.ofDays(1));
        return enqueue(oneOfEach(0, effects).stream().map(later).toList(), Enqueued.Status.ADDED);
    }

    static ToIntFunction<DSLContext> enqueueAllThatWaitAlready(DSLContext dsl, int effects) {
        PRODUCER.enqueueAll(dsl, allOfWithKeys(FRONT, effects));
        return enqueue(allOfWithKeys(FRONT, effects), Enqueued.Status.ALREADY_WAITING);
    }

    // The consumer's

    /** In an even backlog there may be too few. */
    private static void deepenFront(DSLContext dsl, int effects) {
        PRODUCER.enqueueAll(dsl, allOf(FRONT, effects));
    }

    static ToIntFunction<DSLContext> claim(DSLContext dsl, int effects) {
        deepenFront(dsl, effects);
        return context -> CONSUMER.claim(context, new RepoClaimRequest(FRONT, "plan", effects))
                .size();
    }

    private static DispatchRequest request(int effects) {
        return DispatchRequest.by("plan").withLimit(effects);
    }

    private static ToIntFunction<DSLContext> dispatch(DispatchRequest request) {
        return context -> CONSUMER.dispatch(context, request).size();
    }

    /**
     * A dispatch looks at a few more repositories than the effects that it is to claim, and at as many effects of each.
     */
    static int lookedAt(int effects, int repos) {
        int more = effects + 16;
        return Math.max(effects, Math.min(more, repos) * Math.min(more, EffectBacklog.depth(repos)));
    }

    static ToIntFunction<DSLContext> dispatch(DSLContext dsl, int effects) {
        return dispatch(request(effects));
    }

    static ToIntFunction<DSLContext> dispatchPastAnExcludedRepo(DSLContext dsl, int effects) {
        return dispatch(request(effects).excluding(Set.of(FRONT)));
    }

    /** More are in flight of the repository in front than the cap allows. */
    static ToIntFunction<DSLContext> dispatchPastACappedRepo(DSLContext dsl, int effects) {
        return dispatch(request(effects).withCap(10));
    }

    static ToIntFunction<DSLContext> dispatchThatPromotes(DSLContext dsl, int effects) {
        dsl.execute(
                "insert into lanequeue.effect_queue (repo_id, payload, state, scheduled_at)"
                        + " select 'repo ' || n, '', 'scheduled', now() from generate_series(1, ?) n",
                effects);
        return dispatch(request(effects));
    }

    /** All that are scheduled have become due, far more than one call enqueues. */
    static ToIntFunction<DSLContext> dispatchWhenManyAreDue(DSLContext dsl, int effects) {
        EffectConsumer later = EffectConsumer.at(Instant.now().plus(Duration.ofDays(30)));
        return context -> later.dispatch(context, request(effects)).size();
    }

    static ToIntFunction<DSLContext> dispatchThatSettles(DSLContext dsl, int effects) {
        addEmptyRepos(dsl, effects);
        return dispatch(request(effects));
    }

    /** Repositories without effects. */
    private static void addEmptyRepos(DSLContext dsl, int repos) {
        dsl.execute(
                "insert into lanequeue.effect_queue_repo_heads (repo_id)"
                        + " select 'repo ' || n from generate_series(?, ?) n",
                newRepos(repos),
                NEW_REPOS.get() - 1);
    }

    static ToIntFunction<DSLContext> untilDue(DSLContext dsl, int calls) {
        DispatchRequest request = request(1).excluding(Set.of(FRONT));
        return context ->
                CONSUMER.untilDue(context, request).filter(Duration::isZero).isPresent() ? 1 : 0;
    }

    private static List<EffectClaim> claims(List<ClaimedEffect> claimed) {
        return claimed.stream().map(ClaimedEffect::claim).toList();
    }

    private static List<EffectClaim> claimed(DSLContext dsl, int effects) {
        return claims(CONSUMER.dispatch(dsl, request(effects).excluding(Set.of(FRONT))));
    }

    private static List<EffectClaim> claimedOf(DSLContext dsl, RepoId repo, int effects) {
        return claims(CONSUMER.claim(dsl, new RepoClaimRequest(repo, "plan", effects)));
    }

    private static int count(List<EffectReport> reports, EffectReport.Status status) {
        return (int)
                reports.stream().filter(report -> report.status() == status).count();
    }

    private static int applied(List<EffectReport> reports) {
        return count(reports, EffectReport.Status.APPLIED);
    }

    static ToIntFunction<DSLContext> complete(DSLContext dsl, int effects) {
        List<EffectClaim> claims = claimed(dsl, effects);
        return context -> applied(CONSUMER.complete(context, claims));
    }

    static ToIntFunction<DSLContext> completeOfRepo(DSLContext dsl, int effects) {
        deepenFront(dsl, effects);
        List<EffectClaim> claims = claimedOf(dsl, FRONT, effects);
        return context -> applied(CONSUMER.complete(context, FRONT, claims));
    }

    static ToIntFunction<DSLContext> completeWithTheLastEffects(DSLContext dsl, int effects) {
        long first = newRepos(effects);
        PRODUCER.enqueueAll(dsl, oneOfEach(first, effects));
        // Without a known head they are looked at first.
        dsl.execute(
                "update lanequeue.effect_queue_repo_heads set head_id = null"
                        + " where repo_id in (select 'repo ' || n from generate_series(?, ?) n)",
                first,
                first + effects - 1);
        return complete(dsl, effects);
    }

    static ToIntFunction<DSLContext> completeAboveReadCommitted(DSLContext dsl, int effects) {
        dsl.execute("set transaction isolation level repeatable read");
        return completeWithTheLastEffects(dsl, effects);
    }

    static ToIntFunction<DSLContext> completeUnderLostClaims(DSLContext dsl, int effects) {
        List<EffectClaim> lost = claimed(dsl, effects);
        CONSUMER.release(dsl, lost);
        return context -> count(CONSUMER.complete(context, lost), EffectReport.Status.CLAIM_LOST);
    }

    static ToIntFunction<DSLContext> fail(DSLContext dsl, int effects) {
        List<EffectFailure> failures = claimed(dsl, effects).stream()
                .map(claim -> new EffectFailure(claim, "failed"))
                .toList();
        return context -> applied(CONSUMER.fail(context, failures));
    }

    static ToIntFunction<DSLContext> retry(DSLContext dsl, int effects) {
        return retry(dsl, effects, Duration.ofMinutes(1));
    }

    static ToIntFunction<DSLContext> retryAtOnce(DSLContext dsl, int effects) {
        return retry(dsl, effects, Duration.ZERO);
    }

    private static ToIntFunction<DSLContext> retry(DSLContext dsl, int effects, Duration delay) {
        List<EffectRetry> retries = claimed(dsl, effects).stream()
                .map(claim -> new EffectRetry(claim, delay, "failed"))
                .toList();
        return context -> applied(CONSUMER.retry(context, retries));
    }

    static ToIntFunction<DSLContext> release(DSLContext dsl, int effects) {
        List<EffectClaim> claims = claimed(dsl, effects);
        return context -> applied(CONSUMER.release(context, claims));
    }

    static ToIntFunction<DSLContext> releaseThatIsSuperseded(DSLContext dsl, int effects) {
        var repo = new RepoId(repo(newRepos(1)));
        PRODUCER.enqueueAll(dsl, allOfWithKeys(repo, effects));
        List<EffectClaim> claims = claimedOf(dsl, repo, effects);
        PRODUCER.enqueueAll(dsl, allOfWithKeys(repo, effects));
        return context -> count(CONSUMER.release(context, claims), EffectReport.Status.SUPERSEDED);
    }

    static ToIntFunction<DSLContext> extend(DSLContext dsl, int effects) {
        List<EffectClaim> claims = claimed(dsl, effects);
        return context -> CONSUMER.extend(context, claims).size();
    }

    // The upkeep's

    static ToIntFunction<DSLContext> requeueStale(DSLContext dsl, int effects) {
        return requeueStale(dsl, effects, 10);
    }

    static ToIntFunction<DSLContext> requeueStaleThatFails(DSLContext dsl, int effects) {
        return requeueStale(dsl, effects, 1);
    }

    private static ToIntFunction<DSLContext> requeueStale(DSLContext dsl, int effects, int maxAttempts) {
        Long[] stale = claimed(dsl, effects).stream()
                .map(claim -> claim.effect().value())
                .toArray(Long[]::new);
        dsl.execute(
                "update lanequeue.effect_queue set claimed_at = now() - interval '3 days' where id = any (?::bigint[])",
                (Object) stale);
        return context -> UPKEEP.requeueStale(context, Duration.ofHours(1), maxAttempts, effects)
                .taken();
    }

    static ToIntFunction<DSLContext> pruneDone(DSLContext dsl, int effects) {
        return context -> UPKEEP.pruneDone(context, Duration.ofHours(1), effects);
    }

    static ToIntFunction<DSLContext> pruneFailed(DSLContext dsl, int effects) {
        return context -> UPKEEP.pruneFailed(context, Duration.ofHours(1), effects);
    }

    // The operator's

    private static List<EffectId> idsOf(DSLContext dsl, String state, int effects) {
        return dsl.fetch(
                        "select id from lanequeue.effect_queue where state = ? order by id desc limit ?",
                        state,
                        effects)
                .map(row -> new EffectId(row.get(0, long.class)));
    }

    static ToIntFunction<DSLContext> redrive(DSLContext dsl, int effects) {
        List<EffectId> ids = idsOf(dsl, "failed", effects);
        return context -> OPERATOR.redrive(context, ids).enqueued().size();
    }

    static ToIntFunction<DSLContext> redriveOfRepo(DSLContext dsl, int effects) {
        addFailedToFront(dsl, effects);
        return context -> OPERATOR.redrive(context, FRONT, effects).enqueued().size();
    }

    /** In an even backlog there may be too few. */
    private static void addFailedToFront(DSLContext dsl, int effects) {
        dsl.execute(
                "insert into lanequeue.effect_queue (repo_id, payload, state, failed_at)"
                        + " select ?, '', 'failed', now() from generate_series(1, ?)",
                FRONT.value(),
                effects);
    }

    static ToIntFunction<DSLContext> cancel(DSLContext dsl, int effects) {
        List<EffectId> ids = idsOf(dsl, "enqueued", effects);
        return context -> OPERATOR.cancel(context, ids, "plan").size();
    }

    static ToIntFunction<DSLContext> counts(DSLContext dsl, int effects) {
        deepenFront(dsl, effects);
        return context -> OPERATOR.counts(context, FRONT, effects).enqueued();
    }

    private static ToIntFunction<DSLContext> failed(FailedQuery query) {
        return context -> OPERATOR.failed(context, query).size();
    }

    static ToIntFunction<DSLContext> failed(DSLContext dsl, int effects) {
        addFailedToFront(dsl, effects);
        return failed(FailedQuery.of(FRONT).withLimit(effects));
    }

    static ToIntFunction<DSLContext> failedNextPage(DSLContext dsl, int effects) {
        addFailedToFront(dsl, effects + 1);
        FailedQuery first = FailedQuery.of(FRONT).withLimit(1);
        return failed(first.after(OPERATOR.failed(dsl, first).get(0).id()).withLimit(effects));
    }

    static ToIntFunction<DSLContext> oldestWaiting(DSLContext dsl, int repos) {
        return context -> OPERATOR.oldestWaiting(context, repos).size();
    }

    static ToIntFunction<DSLContext> totals(DSLContext dsl, int bound) {
        addFailedToFront(dsl, bound);
        return context -> OPERATOR.totals(context, bound).failed();
    }

    // The audit's

    static ToIntFunction<DSLContext> disagreements(DSLContext dsl, int repos) {
        addEmptyRepos(dsl, repos);
        return context -> AUDIT.disagreements(context, repos).size();
    }

    static ToIntFunction<DSLContext> repair(DSLContext dsl, int repos) {
        addEmptyRepos(dsl, repos);
        return context -> (int) AUDIT.repair(context).repairedRepos();
    }
}
