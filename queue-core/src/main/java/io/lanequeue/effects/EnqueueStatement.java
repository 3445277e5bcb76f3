package io.lanequeue.effects;

import static io.lanequeue.internal.PgSql.after;
import static io.lanequeue.internal.PgSql.statementTimestamp;
import static io.lanequeue.internal.PgSql.wasInserted;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.jooq.impl.DSL.excluded;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.when;

import io.lanequeue.internal.ArrayRows;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.RepoId;
import io.lanequeue.schema.jooq.tables.EffectQueue;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record4;
import org.jooq.Result;
import org.jooq.ResultQuery;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;
import org.jspecify.annotations.Nullable;

/** The statement of {@link EffectProducer}. */
final class EnqueueStatement {

    private static final EffectQueue E = EFFECT_QUEUE;

    private EnqueueStatement() {}

    private record Key(RepoId repo, String key) {}

    private static @Nullable Key keyOf(NewEffect effect) {
        String key = effect.dedupeKey();
        return key == null ? null : new Key(effect.repoId(), key);
    }

    static List<Enqueued> enqueue(DSLContext dsl, List<NewEffect> effects) {
        // The second of two equal keys in one statement would hit the row of the first, which a statement may not.
        Set<Key> seen = new HashSet<>();
        List<NewEffect> sent = effects.stream()
                .filter(effect -> {
                    Key key = keyOf(effect);
                    return key == null || seen.add(key);
                })
                .toList();
        return enqueued(effects, query(dsl, sent).fetch());
    }

    static ResultQuery<Record4<EffectId, RepoId, String, Boolean>> query(DSLContext dsl, List<NewEffect> effects) {
        var rows = new ArrayRows("n");
        Field<RepoId> repoId = rows.column("repo_id", E.REPO_ID.getDataType(), map(effects, NewEffect::repoId));
        Field<String> payload = rows.column("payload", E.PAYLOAD.getDataType(), map(effects, NewEffect::payload));
        Field<DayToSecond> delay =
                rows.column("delay", SQLDataType.INTERVALDAYTOSECOND, map(effects, effect -> interval(effect.delay())));
        Field<String> dedupeKey =
                rows.column("dedupe_key", E.DEDUPE_KEY.getDataType(), map(effects, NewEffect::dedupeKey));
        return dsl.insertInto(E, E.REPO_ID, E.PAYLOAD, E.STATE, E.SCHEDULED_AT, E.DEDUPE_KEY)
                .select(select(
                                repoId,
                                payload,
                                when(delay.isNull(), inline(EffectState.ENQUEUED, E.STATE))
                                        .otherwise(inline(EffectState.SCHEDULED, E.STATE)),
                                after(statementTimestamp(), delay),
                                dedupeKey)
                        .from(rows.table())
                        // With it the ids are given in the order of the list: PostgreSQL numbers after sorting.
                        .orderBy(rows.position()))
                .onConflict(E.REPO_ID, E.DEDUPE_KEY)
                .where(E.DEDUPE_KEY
                        .isNotNull()
                        .and(E.STATE.in(inline(EffectState.SCHEDULED, E.STATE), inline(EffectState.ENQUEUED, E.STATE))))
                // Changes nothing, and returns the effect that waits, locked: it must not be claimed before this
                // transaction has committed what it is to be about.
                .doUpdate()
                .set(E.DEDUPE_KEY, excluded(E.DEDUPE_KEY))
                .returningResult(E.ID, E.REPO_ID, E.DEDUPE_KEY, wasInserted(E));
    }

    private static <T> List<@Nullable T> map(List<NewEffect> effects, Function<NewEffect, @Nullable T> part) {
        List<@Nullable T> parts = new ArrayList<>();
        effects.forEach(effect -> parts.add(part.apply(effect)));
        return parts;
    }

    private static @Nullable DayToSecond interval(@Nullable Duration delay) {
        return delay == null ? null : DayToSecond.valueOf(delay);
    }

    /** Effects with a key are told apart by it; the others were inserted in the order of the list. */
    private static List<Enqueued> enqueued(
            List<NewEffect> effects, Result<Record4<EffectId, RepoId, String, Boolean>> rows) {
        Map<Key, Enqueued> byKey = new HashMap<>();
        Deque<EffectId> others = new ArrayDeque<>();
        rows.stream().sorted((a, b) -> a.value1().compareTo(b.value1())).forEach(row -> {
            if (row.value3() == null) {
                others.add(row.value1());
            } else {
                var status = row.value4() ? Enqueued.Status.ADDED : Enqueued.Status.ALREADY_WAITING;
                byKey.put(new Key(row.value2(), row.value3()), new Enqueued(row.value1(), status));
            }
        });
        List<Enqueued> enqueued = new ArrayList<>();
        for (NewEffect effect : effects) {
            Key key = keyOf(effect);
            if (key == null) {
                enqueued.add(new Enqueued(others.remove(), Enqueued.Status.ADDED));
            } else {
                Enqueued first = byKey.get(key);
                if (first == null) {
                    throw new IllegalStateException("The database returned no effect for " + key);
                }
                enqueued.add(first);
                byKey.put(key, new Enqueued(first.id(), Enqueued.Status.ALREADY_WAITING));
            }
        }
        return enqueued;
    }
}
