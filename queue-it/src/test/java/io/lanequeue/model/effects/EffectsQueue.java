package io.lanequeue.model.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;

import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.model.Operation;
import io.lanequeue.model.Queue;
import io.lanequeue.model.effects.EffectsModel.Which;
import io.lanequeue.schema.EffectState;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jooq.DSLContext;

/** The effect queue: two repositories, each operation of the library, and what other programs may do. */
public final class EffectsQueue implements Queue<EffectsModel> {

    private static final List<EffectState> STATES_BY_SQL =
            List.of(EffectState.ENQUEUED, EffectState.CLAIMED, EffectState.DONE, EffectState.FAILED);

    @Override
    public EffectsModel empty(DSLContext dsl) {
        dsl.truncate(EFFECT_QUEUE, EFFECT_QUEUE_REPO_HEADS).execute();
        return new EffectsModel();
    }

    @Override
    public Operation<EffectsModel> operation(RandomGenerator random) {
        int any = random.nextInt(12);
        return switch (random.nextInt(40)) {
            case 0, 1, 2, 3, 4, 5 -> enqueue(random, 1);
            case 6, 7 -> enqueue(random, 2 + any % 2);
            case 8, 9, 10, 11, 12, 13 -> dispatch(random);
            case 14, 15 -> new ClaimOfRepo(repo(random), 1 + any % 3);
            case 16, 17, 18, 19, 20, 21, 22, 23, 24 -> new Report(any, 1 + any % 3, Which.PRESENT, outcome(random));
            case 25, 26 -> new Report(any, 1 + any % 2, Which.STALE, outcome(random));
            case 27 -> new Extend(any, any % 2 == 0 ? Which.PRESENT : Which.STALE);
            case 28, 29 -> new TimePasses(any);
            case 30 -> new RequeueStale(any % 2 == 0 ? 1 : 100);
            case 31 -> new Cancel(any, 1 + any % 3);
            case 32, 33 -> new Redrive(any % 2 == 0 ? Redrive.By.ID : Redrive.By.REPO, any, 1 + any % 3);
            case 34 -> any == 0 ? new Truncate() : new Prune(any % 2 == 0 ? Effect.Phase.DONE : Effect.Phase.FAILED);
            case 35 -> new RepairHeads();
            case 36, 37 -> new DeleteBySql(any, 1 + any % 3);
            case 38 -> new UpdateBySql(any, STATES_BY_SQL.get(any % 4));
            default -> new Look(repo(random));
        };
    }

    private static Enqueue enqueue(RandomGenerator random, int count) {
        return new Enqueue(Stream.generate(() -> entry(random)).limit(count).toList());
    }

    private static Enqueue.Entry entry(RandomGenerator random) {
        Enqueue.Due due = switch (random.nextInt(5)) {
            case 0 -> Enqueue.Due.AT_ONCE;
            case 1 -> Enqueue.Due.LATER;
            default -> Enqueue.Due.NOW;
        };
        return new Enqueue.Entry(repo(random), random.nextInt(3) == 0 ? "k" : null, due);
    }

    private static Dispatch dispatch(RandomGenerator random) {
        int cap = random.nextInt(4);
        return new Dispatch(
                1 + random.nextInt(4),
                cap == 0 ? DispatchRequest.NO_CAP : cap,
                random.nextInt(4) == 0 ? Set.of(repo(random)) : Set.of());
    }

    private static String repo(RandomGenerator random) {
        return EffectsModel.REPOS.get(random.nextInt(EffectsModel.REPOS.size()));
    }

    /** Mostly complete: what is hard happens where repositories run empty. */
    private static Report.Outcome outcome(RandomGenerator random) {
        Report.Outcome[] outcomes = Report.Outcome.values();
        return random.nextBoolean() ? Report.Outcome.COMPLETE : outcomes[random.nextInt(outcomes.length)];
    }

    /** Nothing: no result is explained by it. */
    @Override
    public void look(EffectsModel committed, DSLContext observer) {}

    @Override
    public void check(EffectsModel committed, DSLContext observer) {
        EffectsCheck.check(committed, observer);
    }

    @Override
    public void drain(EffectsModel committed, DSLContext dsl) {
        EffectsDrain.drain(committed, dsl);
    }
}
