package io.lanequeue.effects;

import static io.lanequeue.internal.PgSql.before;
import static io.lanequeue.internal.PgSql.interval;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import io.lanequeue.internal.PgSql;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.jooq.Routines;
import io.lanequeue.schema.jooq.tables.EffectQueue;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Record3;
import org.jooq.ResultQuery;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** The statements of {@link EffectUpkeep}. */
final class UpkeepStatements {

    /** Most due effects that one claim enqueues. */
    private static final int PROMOTED_AT_ONCE = 1_000;

    private static final EffectQueue E = EFFECT_QUEUE;
    private static final EffectQueue OLD = E.as("old");

    private UpkeepStatements() {}

    static void promoteDue(DSLContext dsl, Field<Instant> now) {
        dsl.select(Routines.effectQueuePromoteDue(now, inline(PROMOTED_AT_ONCE)))
                .fetch();
    }

    /** One row per effect that was taken: its id, what supersedes it, and whether it failed. */
    static ResultQuery<Record3<EffectId, EffectId, Boolean>> requeueStale(
            DSLContext dsl, Field<Instant> now, Duration olderThan, int maxAttempts, int limit) {
        // State and age are checked again under the lock: a claim that was extended or completed meanwhile is not
        // taken.
        var stale = name("stale")
                .asMaterialized(select(OLD.ID, OLD.CLAIM_ID)
                        .from(OLD)
                        .where(OLD.STATE.eq(inline(EffectState.CLAIMED, E.STATE)))
                        .and(OLD.CLAIMED_AT.le(field(select(before(now, interval(olderThan))))))
                        .orderBy(OLD.CLAIMED_AT)
                        .limit(PgSql.limit(limit))
                        .forUpdate()
                        .skipLocked());
        // Failing for good is decided there too: one update, one trigger, heads in order.
        var putBack = Routines.effectQueuePutBack(
                array(select(stale.field(OLD.ID).coerce(SQLDataType.BIGINT))
                        .from(stale)
                        .orderBy(stale.field(OLD.ID))),
                array(select(stale.field(OLD.CLAIM_ID).coerce(SQLDataType.BIGINT))
                        .from(stale)
                        .orderBy(stale.field(OLD.ID))),
                DSL.val(new OffsetDateTime[0], SQLDataType.TIMESTAMPWITHTIMEZONE.array()),
                DSL.val(new String[0], SQLDataType.CLOB.array()),
                array(select(inline(0)).from(stale)),
                val(maxAttempts));
        return dsl.with(stale)
                .select(putBack.EFFECT_ID, putBack.SUPERSEDED_BY, putBack.IS_FAILED)
                .from(putBack);
    }

    static StaleReport staleReport(ResultQuery<Record3<EffectId, EffectId, Boolean>> query) {
        List<EffectId> requeued = new ArrayList<>();
        List<EffectId> superseded = new ArrayList<>();
        List<EffectId> failed = new ArrayList<>();
        query.stream().sorted((a, b) -> a.value1().compareTo(b.value1())).forEach(row -> {
            if (row.value3()) {
                failed.add(row.value1());
            } else if (row.value2() == null) {
                requeued.add(row.value1());
            } else {
                superseded.add(row.value1());
            }
        });
        return new StaleReport(requeued, superseded, failed);
    }

    static Query prune(DSLContext dsl, Field<Instant> now, EffectState state, Duration olderThan, int limit) {
        Field<Instant> endedAt = state == EffectState.DONE ? OLD.DONE_AT : OLD.FAILED_AT;
        return dsl.deleteFrom(E)
                .where(E.rowid()
                        .eq(any(array(select(OLD.rowid())
                                .from(OLD)
                                .where(OLD.STATE.eq(inline(state, E.STATE)))
                                .and(endedAt.le(field(select(before(now, interval(olderThan))))))
                                .orderBy(endedAt)
                                .limit(PgSql.limit(limit))
                                .forUpdate()
                                .skipLocked()))));
    }
}
