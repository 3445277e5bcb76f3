package io.lanequeue.worker;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.EffectAudit;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.RepoId;
import io.lanequeue.worker.Witness.Happening;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a worker of the effect queue does, and what it records of failures. */
class EffectHandlingTest extends EffectWorkerFixture {

    private final Queue<EffectId> handled = new ConcurrentLinkedQueue<>();

    @Test
    void doesEveryEffectOnceOnFourThreads() {
        List<EffectId> effects = new ArrayList<>();
        IntStream.range(0, 20).forEach(repo -> effects.addAll(enqueue("repo " + repo, 10)));

        run(worker(request()), (effect, attempt) -> handled.add(effect.claim().effect()));
        witness.await(Happening.DELIVERED, effects.size());

        assertThat(handled).containsExactlyInAnyOrderElementsOf(effects);
        assertThat(count(EffectState.DONE)).isEqualTo(effects.size());
        assertThat(new EffectAudit().disagreements(dsl, 10)).isEmpty();
    }

    @Test
    void keepsTheCapOfEachRepositoryOverTwoWorkers() {
        enqueue("a", 40);
        enqueue("b", 40);
        Map<RepoId, AtomicInteger> atWork = new ConcurrentHashMap<>();
        var most = new AtomicInteger();
        EffectHandler handler = (effect, attempt) -> {
            AtomicInteger ofRepo = atWork.computeIfAbsent(effect.repoId(), repo -> new AtomicInteger());
            most.accumulateAndGet(ofRepo.incrementAndGet(), Math::max);
            Thread.yield();
            ofRepo.decrementAndGet();
        };

        run(worker(request().withCap(2)), handler);
        run(worker(request().withCap(2)), handler);
        witness.await(Happening.DELIVERED, 80);

        assertThat(most.get()).isLessThanOrEqualTo(2);
    }

    @Test
    void neverHasMoreInHandThanTheCapNorThanItWasTold() {
        enqueue("a", 10);
        enqueue("b", 10);
        var door = new Latch();
        var begun = new Latch(4);

        start(worker(request().withLimit(5).withCap(2)), (effect, attempt) -> {
            begun.open();
            door.pass();
        });
        begun.passWhateverComes();
        timing.awaitWaiting();

        assertThat(count(EffectState.CLAIMED)).isEqualTo(4);
        door.open();
        witness.await(Happening.DELIVERED, 20);
    }

    @Test
    void leavesOutExcludedRepositories() {
        EffectId excluded = enqueue("excluded");
        enqueue("repo");

        start(worker(request().excluding(List.of(repo("excluded")))), (effect, attempt) -> {});
        witness.await(Happening.DELIVERED, 1);
        timing.awaitWaiting();

        assertThat(effect(excluded).getState()).isEqualTo(EffectState.ENQUEUED);
    }

    @Test
    void triesAFailedEffectAgain() {
        EffectId id = enqueue("repo");
        Queue<String> lastErrors = new ConcurrentLinkedQueue<>();
        var quick = RetryPolicy.standard().withBackoff(Duration.ofMillis(1), Duration.ofMillis(1));

        run(worker(request()).withRetryPolicy(quick), (effect, attempt) -> {
            lastErrors.add(String.valueOf(attempt.lastError()));
            if (attempt.number() < 3) {
                throw new IllegalStateException("attempt " + attempt.number());
            }
        });
        witness.await(Happening.DELIVERED, 1);

        assertThat(lastErrors)
                .containsExactly(
                        "null",
                        "java.lang.IllegalStateException: attempt 1",
                        "java.lang.IllegalStateException: attempt 2");
        assertThat(effect(id).getState()).isEqualTo(EffectState.DONE);
    }

    @Test
    void failsForGoodAfterTheLastAttempt() {
        EffectId id = enqueue("repo");
        var twice = RetryPolicy.standard().withMaxAttempts(2).withBackoff(Duration.ofMillis(1), Duration.ofMillis(1));

        run(worker(request()).withRetryPolicy(twice), (effect, attempt) -> {
            throw new IllegalStateException("no such branch");
        });
        witness.await(Happening.GAVE_UP, 1);

        assertThat(witness.count(Happening.FAILED)).isEqualTo(1);
        assertThat(effect(id).getState()).isEqualTo(EffectState.FAILED);
        assertThat(effect(id).getLastError()).contains("no such branch");
    }

    @Test
    void failsForGoodAtOnceWhenTheHandlerSaysNeverAgain() {
        EffectId id = enqueue("repo");

        start((effect, attempt) -> {
            throw new NeverAgainException("repository is gone");
        });
        witness.await(Happening.GAVE_UP, 1);

        assertThat(effect(id).getState()).isEqualTo(EffectState.FAILED);
    }

    @Test
    void waitsAsLongAsTheHandlerAsks() {
        EffectId id = enqueue("repo");
        Instant before = now();

        start((effect, attempt) -> {
            throw new RetryAfterException(Duration.ofHours(5), "rate limit");
        });
        witness.await(Happening.FAILED, 1);

        assertThat(effect(id).getState()).isEqualTo(EffectState.SCHEDULED);
        assertThat(effect(id).getScheduledAt())
                .isBetween(before.plus(Duration.ofHours(5)), now().plus(Duration.ofHours(5)));
    }

    @Test
    void failsAnEffectThatWasHandedOutTooOftenWithoutTryingItAgain() {
        EffectId id = enqueue("repo");
        dsl.update(EFFECT_QUEUE).set(EFFECT_QUEUE.ATTEMPTS, 2).execute();

        start(
                worker(request()).withRetryPolicy(RetryPolicy.standard().withMaxAttempts(2)),
                (effect, attempt) -> handled.add(id));
        witness.await(Happening.GAVE_UP, 1);

        assertThat(handled).isEmpty();
        assertThat(effect(id).getState()).isEqualTo(EffectState.FAILED);
        assertThat(effect(id).getLastError()).contains("2 times");
    }

    @Test
    void aFailureThatIsSupersededIsNotTriedAgain() {
        NewEffect keyed = NewEffect.of("repo", "{}").withDedupeKey("index");
        EffectId first = new EffectProducer().enqueue(dsl, keyed).id();
        var door = new Latch();
        var begun = new Latch();
        start(worker(request().withLimit(1)), (effect, attempt) -> {
            begun.open();
            door.pass();
            if (effect.claim().effect().equals(first)) {
                throw new IllegalStateException("once");
            }
        });
        begun.passWhateverComes();
        EffectId second = new EffectProducer().enqueue(dsl, keyed).id();

        door.open();
        witness.await(Happening.DELIVERED, 1);

        assertThat(witness.count(Happening.RELEASED)).isEqualTo(1);
        assertThat(effect(first).getState()).isEqualTo(EffectState.DONE);
        assertThat(effect(second).getState()).isEqualTo(EffectState.DONE);
    }
}
