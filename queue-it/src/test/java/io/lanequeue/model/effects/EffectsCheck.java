package io.lanequeue.model.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static java.util.stream.Collectors.toSet;

import io.lanequeue.model.Violation;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.RepoId;
import io.lanequeue.schema.jooq.tables.EffectQueue;
import io.lanequeue.schema.jooq.tables.EffectQueueRepoHeads;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** Compares what is committed with the model, and the heads with the effects. */
final class EffectsCheck {

    private static final EffectQueue E = EFFECT_QUEUE;
    private static final EffectQueueRepoHeads H = EFFECT_QUEUE_REPO_HEADS;
    private static final Field<OffsetDateTime> CLOCK =
            DSL.function("clock_timestamp", SQLDataType.TIMESTAMPWITHTIMEZONE);

    private EffectsCheck() {}

    static void check(EffectsModel committed, DSLContext dsl) {
        Result<? extends Record> rows = dsl.select(
                        E.ID, E.REPO_ID, E.DEDUPE_KEY, E.STATE, E.CLAIM_ID, E.SCHEDULED_AT, E.CLAIMED_AT, CLOCK)
                .from(E)
                .orderBy(E.ID)
                .fetch();
        Map<RepoId, Integer> heads = dsl.select(H.REPO_ID, H.IN_FLIGHT).from(H).fetchMap(H.REPO_ID, H.IN_FLIGHT);

        List<Effect> effects = rows.map(EffectsCheck::effect);
        Violation.unless(
                effects.equals(List.copyOf(committed.effects())),
                "committed are %s, not %s",
                effects,
                committed.effects());
        for (String repo : EffectsModel.REPOS) {
            checkHead(repo, rows, heads);
        }
        committed.saw(
                heads.keySet().stream().map(RepoId::value).collect(toSet()),
                rows.stream()
                        .filter(row -> row.get(E.STATE) == EffectState.ENQUEUED)
                        .map(row -> row.get(E.ID))
                        .collect(toSet()));
    }

    private static void checkHead(String repo, Result<? extends Record> rows, Map<RepoId, Integer> heads) {
        Integer inFlight = heads.get(new RepoId(repo));
        long claimed = count(repo, EffectState.CLAIMED, rows);
        Violation.unless(
                inFlight == null ? claimed + count(repo, EffectState.ENQUEUED, rows) == 0 : inFlight == claimed,
                "E1: the head of %s counts %s in flight, not %s",
                repo,
                Objects.toString(inFlight),
                claimed);
    }

    private static long count(String repo, EffectState state, Result<? extends Record> rows) {
        return rows.stream()
                .filter(row -> row.get(E.REPO_ID).value().equals(repo) && row.get(E.STATE) == state)
                .count();
    }

    private static Effect effect(Record row) {
        return new Effect(
                row.get(E.ID), row.get(E.REPO_ID).value(), row.get(E.DEDUPE_KEY), phase(row), row.get(E.CLAIM_ID));
    }

    private static Effect.Phase phase(Record row) {
        Instant now = row.get(CLOCK).toInstant();
        return switch (row.get(E.STATE)) {
            case SCHEDULED -> row.get(E.SCHEDULED_AT).isAfter(now) ? Effect.Phase.LATER : Effect.Phase.WAITING;
            case ENQUEUED -> Effect.Phase.WAITING;
            case CLAIMED ->
                row.get(E.CLAIMED_AT).isAfter(now.minus(RequeueStale.AGE)) ? Effect.Phase.CLAIMED : Effect.Phase.STALE;
            case DONE -> Effect.Phase.DONE;
            case FAILED -> Effect.Phase.FAILED;
        };
    }
}
