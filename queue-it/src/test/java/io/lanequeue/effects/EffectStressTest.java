package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.count;

import io.lanequeue.CallAgainException;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Wiring;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Eight dispatchers over fifty repositories, with producers beside them: they complete, fail, retry, extend, release,
 * report late, and leave claims behind. What must never happen is recorded inside the database, by triggers of this
 * test.
 */
class EffectStressTest {

    private static final int REPOS = 50;
    private static final int PRODUCERS = 3;
    private static final int DISPATCHERS = 8;
    private static final int TRANSACTIONS_PER_PRODUCER = 250;

    private final QueueDatabase db = QueueDatabase.create(Wiring.STANDARD);
    private final EffectProducer producer = new EffectProducer();
    private final EffectConsumer consumer = new EffectConsumer();
    private final EffectUpkeep upkeep = new EffectUpkeep();
    private final AtomicInteger producing = new AtomicInteger(PRODUCERS);
    private final Set<EffectId> enqueued = ConcurrentHashMap.newKeySet();
    private final Set<EffectId> completed = ConcurrentHashMap.newKeySet();

    @BeforeEach
    void recordInTheDatabase() {
        // The most that was ever in flight per repository, and every claim of an effect that was claimed already.
        Session session = db.open();
        for (String statement : List.of(
                "create table public.most (repo_id text primary key, in_flight int not null, counted int not null)",
                "create table public.twice (id bigint)",
                // It inherits what our triggers set: without sequential scans its count looks so dear to the planner
                // that a server with JIT compiles it each time.
                "create function public.record_most() returns trigger language plpgsql set enable_seqscan = on as $$ begin"
                        + " insert into public.most values (new.repo_id, new.in_flight, (select count(*) from"
                        + " lanequeue.effect_queue where repo_id = new.repo_id and state = 'claimed'))"
                        + " on conflict (repo_id) do update set in_flight = greatest(most.in_flight, excluded.in_flight),"
                        + " counted = greatest(most.counted, excluded.counted); return null; end $$",
                "create trigger record_most after insert or update on lanequeue.effect_queue_repo_heads"
                        + " for each row execute function public.record_most()",
                "create function public.record_twice() returns trigger language plpgsql as $$ begin"
                        + " insert into public.twice values (new.id); return null; end $$",
                "create trigger record_twice after update on lanequeue.effect_queue for each row"
                        + " when (old.state = 'claimed' and new.state = 'claimed' and old.claim_id <> new.claim_id)"
                        + " execute function public.record_twice()")) {
            session.dsl().execute(statement);
        }
    }

    @AfterEach
    void closeSessions() {
        db.closeSessions();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, DispatchRequest.NO_CAP})
    void nothingIsLostNothingIsHeldTwiceAndNoCapIsPassed(int cap) throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed of the stress run: " + seed);
        ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS + DISPATCHERS);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++) {
            int number = i;
            running.add(threads.submit(() -> produce(new Random(seed + number))));
        }
        for (int i = 0; i < DISPATCHERS; i++) {
            int number = i;
            running.add(threads.submit(() -> work("dispatcher " + number, cap, new Random(seed - 1 - number))));
        }
        for (Future<?> thread : running) {
            thread.get(5, TimeUnit.MINUTES); // workers go on until all is done; what is lost never is
        }
        threads.shutdown();

        Session session = db.open();
        assertThat(completed).as("each was completed").containsAll(enqueued);
        assertThat(session.dsl().fetchCount(EFFECT_QUEUE, EFFECT_QUEUE.STATE.ne(EffectState.DONE)))
                .isZero();
        assertThat(session.dsl()
                        .fetchSingle("select count(*) from public.twice")
                        .get(0, int.class))
                .as("held by two live claims")
                .isZero();
        assertThat(session.dsl()
                        .fetchSingle("select max(in_flight), max(counted) from public.most")
                        .intoList())
                .as("most in flight, by the heads and by the effects")
                .allSatisfy(most -> assertThat((Integer) most).isLessThanOrEqualTo(cap));
        assertThat(session.dsl()
                        .select(count())
                        .from(EFFECT_QUEUE_REPO_HEADS)
                        .fetchSingle()
                        .value1())
                .as("heads left")
                .isZero();
    }

    private void produce(Random random) {
        Isolation[] isolations = Isolation.values();
        Session session = db.begin(Isolation.READ_COMMITTED);
        for (int transaction = 0; transaction < TRANSACTIONS_PER_PRODUCER; transaction++) {
            session.begin(isolations[random.nextInt(isolations.length)]);
            List<NewEffect> effects = new ArrayList<>();
            for (int i = random.nextInt(6); i >= 0; i--) {
                NewEffect effect = NewEffect.of("repo " + random.nextInt(REPOS), "{}");
                effects.add(
                        switch (random.nextInt(4)) {
                            case 0 -> effect.withDedupeKey("key " + random.nextInt(3));
                            case 1 -> effect.withDelay(Duration.ofMillis(random.nextInt(20)));
                            default -> effect;
                        });
            }
            try {
                List<Enqueued> results = producer.enqueueAll(session.dsl(), effects);
                if (random.nextInt(10) == 0) {
                    session.rollback();
                } else if (session.tryCommit()) {
                    results.forEach(result -> enqueued.add(result.id()));
                }
            } catch (CallAgainException e) {
                session.rollback();
            }
        }
        producing.decrementAndGet();
    }

    private void work(String name, int cap, Random random) {
        Session session = db.open();
        DispatchRequest request = DispatchRequest.by(name).withLimit(20).withCap(cap);
        List<EffectClaim> late = new ArrayList<>();
        while (producing.get() > 0 || isOpen(session)) {
            List<ClaimedEffect> claimed = untilItHappens(() -> consumer.dispatch(session.dsl(), request));
            for (ClaimedEffect effect : claimed) {
                report(session, effect, random, late);
            }
            if (random.nextInt(5) == 0 && !late.isEmpty()) {
                reportLate(session, late);
            }
            untilItHappens(() -> upkeep.requeueStale(session.dsl(), Duration.ofMillis(200), Integer.MAX_VALUE, 50))
                    .superseded()
                    .forEach(completed::add);
        }
        reportLate(session, late);
    }

    private static boolean isOpen(Session session) {
        return session.dsl().fetchExists(EFFECT_QUEUE, EFFECT_QUEUE.STATE.ne(EffectState.DONE));
    }

    private void report(Session session, ClaimedEffect effect, Random random, List<EffectClaim> late) {
        List<EffectClaim> claim = List.of(effect.claim());
        switch (random.nextInt(20)) {
            case 0 -> late.add(effect.claim());
            case 1 ->
                untilItHappens(() -> consumer.release(session.dsl(), claim)).forEach(this::countSuperseded);
            case 2, 3 ->
                untilItHappens(() -> consumer.retry(
                                session.dsl(),
                                List.of(new EffectRetry(
                                        effect.claim(), Duration.ofMillis(random.nextInt(10)), "failed"))))
                        .forEach(this::countSuperseded);
            case 4 -> {
                untilItHappens(
                        () -> consumer.fail(session.dsl(), List.of(new EffectFailure(effect.claim(), "poison"))));
                untilItHappens(() -> new EffectOperator()
                                .redrive(session.dsl(), List.of(effect.claim().effect())))
                        .superseded()
                        .forEach(completed::add);
            }
            case 5 -> {
                untilItHappens(() -> consumer.extend(session.dsl(), claim));
                complete(session, claim);
            }
            default -> complete(session, claim);
        }
    }

    private void complete(Session session, List<EffectClaim> claims) {
        for (EffectReport report : untilItHappens(() -> consumer.complete(session.dsl(), claims))) {
            if (report.status() == EffectReport.Status.APPLIED) {
                assertThat(completed.add(report.claim().effect()))
                        .as("effect %s is completed once", report.claim().effect())
                        .isTrue();
            }
        }
    }

    /** Claims that were left for too long: most have been requeued, and their completion must change nothing. */
    private void reportLate(Session session, List<EffectClaim> late) {
        late.forEach(claim -> complete(session, List.of(claim)));
        late.clear();
    }

    private void countSuperseded(EffectReport report) {
        if (report.status() == EffectReport.Status.SUPERSEDED) {
            completed.add(report.claim().effect());
        }
    }

    /** Calls again when the server chose the call to give way: then nothing happened. */
    private static <T> T untilItHappens(Supplier<T> call) {
        while (true) {
            try {
                return call.get();
            } catch (CallAgainException e) {
                Thread.onSpinWait();
            }
        }
    }
}
