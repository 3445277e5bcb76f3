package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Sequences.EFFECT_QUEUE_CLAIM_SEQ;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.jooq.impl.DSL.all;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.least;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.partitionBy;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.rowNumber;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.trueCondition;
import static org.jooq.impl.DSL.update;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.when;

import io.lanequeue.internal.Fence;
import io.lanequeue.internal.PgSql;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.RepoId;
import io.lanequeue.schema.jooq.Routines;
import io.lanequeue.schema.jooq.tables.EffectQueue;
import io.lanequeue.schema.jooq.tables.EffectQueueRepoHeads;
import java.time.Instant;
import java.util.List;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.Record3;
import org.jooq.Result;
import org.jooq.ResultQuery;
import org.jooq.RowId;
import org.jooq.Select;
import org.jooq.SortField;
import org.jooq.Table;
import org.jooq.UpdateResultStep;
import org.jooq.WithStep;
import org.jooq.impl.SQLDataType;

/** The statement of {@link EffectConsumer#claim} and {@link EffectConsumer#dispatch}. */
final class DispatchStatement {

    /** Most heads that one claim settles. */
    private static final int SETTLED_AT_ONCE = 100;

    private static final int LOOKED_AT_TO_SETTLE = 1_000;

    private static final EffectQueueRepoHeads H = EFFECT_QUEUE_REPO_HEADS;
    private static final EffectQueueRepoHeads EMPTY = H.as("empty");
    private static final EffectQueue E = EFFECT_QUEUE;
    private static final EffectQueue WAITING = E.as("waiting");
    private static final EffectQueue LOWEST = E.as("lowest");

    /** How many effects that others hold a claim can look past: so many more repositories and effects it looks at. */
    private static final int SPARE = 16;

    private static final EffectId NEWEST = new EffectId(Long.MAX_VALUE);

    private static final Field<RowId> PLACE = field(name("place"), SQLDataType.ROWID);
    private static final Field<EffectId> EFFECT = field(name("effect"), E.ID.getDataType());
    private static final Field<EffectId> FIRST = field(name("first"), E.ID.getDataType());
    private static final Field<RepoId> REPO = field(name("repo"), E.REPO_ID.getDataType());
    private static final Field<Integer> RANK = field(name("rank"), SQLDataType.INTEGER);
    private static final Field<Integer> ROOM = field(name("room"), SQLDataType.INTEGER);
    private static final Field<Integer> LOOKED_AT = field(name("looked_at"), SQLDataType.INTEGER);

    private DispatchStatement() {}

    static List<ClaimedEffect> ofRepo(DSLContext dsl, Field<Instant> now, RepoClaimRequest request) {
        var heads =
                walk("heads", H.REPO_ID.eq(request.repoId()), H.REPO_ID.asc(), request.limit(), DispatchRequest.NO_CAP);
        Result<? extends Record> rows = query(
                        dsl.with(heads),
                        List.of(heads),
                        now,
                        request.claimant(),
                        request.limit(),
                        DispatchRequest.NO_CAP)
                .fetch();
        return isHeldByOthers(rows)
                ? claimed(PastHeldStatement.ofRepo(dsl, now, request).fetch())
                : claimed(rows);
    }

    static List<ClaimedEffect> acrossRepos(DSLContext dsl, Field<Instant> now, DispatchRequest request) {
        // Two walks: heads without a known effect, of which there may be many for a while, must not keep the oldest of
        // the others from being looked at.
        SortField<?> order = H.HEAD_ID.asc().nullsFirst();
        var unknown = walk(
                "heads_of_unknown",
                notExcluded(request).and(H.HEAD_ID.isNull()),
                order,
                request.limit(),
                request.cap());
        var known = walk(
                "heads_of_known",
                notExcluded(request).and(H.HEAD_ID.isNotNull()),
                order,
                request.limit(),
                request.cap());
        Result<? extends Record> rows = query(
                        dsl.with(unknown).with(known),
                        List.of(unknown, known),
                        now,
                        request.claimant(),
                        request.limit(),
                        request.cap())
                .fetch();
        return isHeldByOthers(rows)
                ? claimed(PastHeldStatement.acrossRepos(dsl, now, request).fetch())
                : claimed(rows);
    }

    static Condition notExcluded(DispatchRequest request) {
        return request.excluded().isEmpty()
                ? noCondition()
                : H.REPO_ID.ne(all(PgSql.array(request.excluded(), H.REPO_ID.getDataType())));
    }

    /** The lowest effect that waits, for a join with the heads; no row for a repository in which none does. */
    static Table<Record1<EffectId>> lowestWaiting() {
        // Read by a range of one repository: with an equation the planner may take the primary key for the order, and
        // walk past every effect of the others.
        return lateral(select(LOWEST.ID)
                .from(LOWEST)
                .where(LOWEST.REPO_ID.between(H.REPO_ID, H.REPO_ID))
                .and(LOWEST.STATE.eq(inline(EffectState.ENQUEUED, E.STATE)))
                .orderBy(LOWEST.REPO_ID, LOWEST.ID)
                .limit(inline(1))
                .asTable("lowest_waiting"));
    }

    /**
     * The first heads that something waits behind, as many as effects are looked at. A head counts only if something
     * waits behind it now, or heads that an open enqueue pins would fill every claim. Locked here, so that the cap is
     * compared with the number in flight as it is, and stays so.
     */
    private static CommonTableExpression<Record3<RepoId, Integer, EffectId>> walk(
            String name, Condition heads, SortField<?> order, int limit, int cap) {
        var lowestWaiting = lowestWaiting();
        return name(name)
                .asMaterialized(select(
                                H.REPO_ID,
                                H.IN_FLIGHT,
                                lowestWaiting.field(LOWEST.ID).as(FIRST))
                        .from(H)
                        .crossJoin(lowestWaiting)
                        .where(heads)
                        .and(H.IN_FLIGHT.lt(val(cap)))
                        .orderBy(order)
                        .limit(lookedAt(limit))
                        .forNoKeyUpdate()
                        .of(H)
                        .skipLocked());
    }

    private static Field<Integer> lookedAt(int limit) {
        return val(limit).plus(inline(SPARE));
    }

    /** One row per claimed effect, or one without an effect; each says how many were looked at. */
    private static ResultQuery<? extends Record> query(
            WithStep with,
            List<CommonTableExpression<Record3<RepoId, Integer, EffectId>>> walks,
            Field<Instant> now,
            String claimant,
            int limit,
            int cap) {
        Field<Integer> lookedAt = lookedAt(limit);
        var walked = walks.stream()
                .map(walk -> (Select<Record3<RepoId, Integer, EffectId>>)
                        select(walk.field(H.REPO_ID), walk.field(H.IN_FLIGHT), walk.field(FIRST))
                                .from(walk))
                .reduce(Select::unionAll)
                .orElseThrow()
                .asTable("walked");
        var picked = name("picked")
                .asMaterialized(select(walked.fields())
                        .from(walked)
                        .orderBy(walked.field(FIRST))
                        .limit(lookedAt));
        Field<RepoId> pickedRepo = picked.field(H.REPO_ID);
        Field<EffectId> first = picked.field(FIRST);
        Field<Integer> room = val(cap).minus(picked.field(H.IN_FLIGHT));
        // Where as many repositories were picked as effects are looked at, nothing behind the last of their first
        // effects can be among these: the first ones are as many, there is room for each of them, and none is newer.
        // With fewer repositories no such bound is known.
        Field<EffectId> bound =
                field(select(when(count().ge(lookedAt), max(first)).otherwise(inline(NEWEST, E.ID.getDataType())))
                        .from(picked));
        // Both columns are compared as one row, so that the walk through a repository ends at the bound.
        var waiting = select(WAITING.ID, WAITING.rowid().as(PLACE))
                .from(WAITING)
                .where(row(WAITING.REPO_ID, WAITING.ID).between(row(pickedRepo, first), row(pickedRepo, bound)))
                .and(WAITING.STATE.eq(inline(EffectState.ENQUEUED, E.STATE)))
                .orderBy(WAITING.REPO_ID, WAITING.ID)
                .limit(least(val(limit), room).plus(inline(SPARE)))
                .asTable("waiting_of_repo");
        // It cuts nothing off, but is known to the planner, which else expects a tenth of all that waits, of each
        // repository. A statement that looks so dear a server with JIT compiles, at each execution.
        var oldestOfRepo =
                lateral(select(waiting.fields()).from(waiting).limit(lookedAt).asTable("oldest"));
        var oldest = name("oldest_of_each")
                .asMaterialized(select(
                                oldestOfRepo.field(PLACE),
                                oldestOfRepo.field(WAITING.ID).as(EFFECT),
                                rowNumber()
                                        .over(partitionBy(pickedRepo).orderBy(oldestOfRepo.field(WAITING.ID)))
                                        .as(RANK),
                                room.as(ROOM))
                        .from(picked)
                        .crossJoin(oldestOfRepo));
        // The oldest that there is room for; after them some more, since an open enqueue of their key, or an operator,
        // may hold those.
        var candidates = name("candidates")
                .asMaterialized(select(oldest.field(PLACE))
                        .from(oldest)
                        .orderBy(
                                when(oldest.field(RANK).le(oldest.field(ROOM)), inline(0))
                                        .otherwise(inline(1)),
                                oldest.field(EFFECT))
                        .limit(lookedAt));
        // Who cancels or requeues holds the effect first and wants the head next: never wait for an effect here. The
        // state is compared by an equation that fits no partial index: the planner, believing the table empty, might
        // walk one.
        var held = name("held")
                .asMaterialized(select(E.rowid().as(PLACE), E.ID.as(EFFECT), E.REPO_ID.as(REPO))
                        .from(E)
                        .where(E.rowid()
                                .eq(any(array(select(candidates.field(PLACE)).from(candidates)))))
                        .and(E.STATE.isNotDistinctFrom(inline(EffectState.ENQUEUED, E.STATE)))
                        .forUpdate()
                        .skipLocked());
        var ranked = name("ranked")
                .asMaterialized(select(
                                held.field(PLACE),
                                held.field(EFFECT),
                                rowNumber()
                                        .over(partitionBy(held.field(REPO)).orderBy(held.field(EFFECT)))
                                        .as(RANK),
                                room.as(ROOM))
                        .from(held)
                        .join(picked)
                        .on(pickedRepo.eq(held.field(REPO))));
        var chosen = name("chosen")
                .asMaterialized(select(ranked.field(PLACE))
                        .from(ranked)
                        .where(ranked.field(RANK).le(ranked.field(ROOM)))
                        .orderBy(ranked.field(EFFECT))
                        .limit(limit));
        var claimed = name("claimed").as(claim(select(chosen.field(PLACE)).from(chosen), now, claimant));
        // Heads that an enqueue had pinned and that nothing stands behind any more. Two limits: those that cannot go,
        // as of excluded repositories, must not keep the others; and without the inner one it looks dear to the
        // planner (ADR 14).
        var withoutEffect = select(EMPTY.REPO_ID)
                .from(EMPTY)
                .where(EMPTY.HEAD_ID.isNull())
                // Behind a subquery: knowing the number, the planner may believe that none is empty and read all heads
                // instead of the index.
                .and(EMPTY.IN_FLIGHT.le(field(select(inline(0)))))
                .orderBy(EMPTY.REPO_ID)
                .limit(inline(LOOKED_AT_TO_SETTLE))
                .asTable("without_effect");
        Field<RepoId> emptied = withoutEffect.field(EMPTY.REPO_ID);
        var nothingWaits = field(select(WAITING.ID)
                        .from(WAITING)
                        .where(WAITING.REPO_ID.between(emptied, emptied))
                        .and(WAITING.STATE.eq(inline(EffectState.ENQUEUED, E.STATE)))
                        .orderBy(WAITING.REPO_ID, WAITING.ID)
                        .limit(inline(1)))
                .isNull();
        var settled = select(Routines.effectQueueSettleHeads(array(select(emptied.coerce(SQLDataType.CLOB))
                                .from(withoutEffect)
                                .where(nothingWaits)
                                .orderBy(emptied)
                                .limit(inline(SETTLED_AT_ONCE))))
                        .as("heads"))
                .asTable("settled");
        return with.with(picked)
                .with(oldest)
                .with(candidates)
                .with(held)
                .with(ranked)
                .with(chosen)
                .with(claimed)
                .select(claimed.fields())
                .select(settled.fields())
                .select(field(select(count()).from(candidates)).as(LOOKED_AT))
                .from(settled)
                .leftJoin(claimed)
                .on(trueCondition())
                .orderBy(claimed.field(E.ID));
    }

    /** Claims the effects at these places. */
    static UpdateResultStep<? extends Record> claim(
            Select<Record1<RowId>> places, Field<Instant> now, String claimant) {
        return update(E)
                .set(E.STATE, inline(EffectState.CLAIMED, E.STATE))
                .set(E.CLAIM_ID, Fence.next(EFFECT_QUEUE_CLAIM_SEQ).coerce(E.CLAIM_ID))
                .set(E.CLAIMED_BY, claimant)
                .set(E.CLAIMED_AT, now)
                .set(E.ATTEMPTS, E.ATTEMPTS.plus(inline(1)))
                .where(E.rowid().eq(any(array(places))))
                .returningResult(
                        E.ID, E.CLAIM_ID, E.REPO_ID, E.PAYLOAD, E.ATTEMPTS, E.LAST_ERROR, E.ENQUEUED_AT, E.CLAIMED_AT);
    }

    /** Whether nothing was claimed of what was looked at. */
    private static boolean isHeldByOthers(Result<? extends Record> rows) {
        Record first = rows.get(0);
        return first.get(E.ID) == null && first.get(LOOKED_AT) > 0;
    }

    private static List<ClaimedEffect> claimed(Result<? extends Record> rows) {
        return rows.stream()
                .filter(row -> row.get(E.ID) != null)
                .map(row -> new ClaimedEffect(
                        new EffectClaim(row.get(E.ID), row.get(E.CLAIM_ID)),
                        row.get(E.REPO_ID),
                        row.get(E.PAYLOAD),
                        row.get(E.ATTEMPTS),
                        row.get(E.LAST_ERROR),
                        row.get(E.ENQUEUED_AT),
                        row.get(E.CLAIMED_AT)))
                .toList();
    }
}
