package io.lanequeue.effects;

import static io.lanequeue.internal.PgSql.after;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.select;

import io.lanequeue.internal.ArrayRows;
import io.lanequeue.internal.PgSql;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.jooq.Routines;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;
import org.jspecify.annotations.Nullable;

/** Calls of {@code effect_queue_put_back}, which lets effects wait again. */
final class PutBackStatement {

    private PutBackStatement() {}

    static List<EffectReport> retry(DSLContext dsl, Field<Instant> now, List<EffectRetry> retries) {
        List<EffectClaim> claims = retries.stream().map(EffectRetry::claim).toList();
        List<@Nullable DayToSecond> delays = new ArrayList<>();
        for (EffectRetry retry : retries) {
            Duration delay = retry.delay();
            delays.add(delay.isZero() ? null : DayToSecond.valueOf(delay));
        }
        var rows = new ArrayRows("given");
        Field<DayToSecond> delay = rows.column("delay", SQLDataType.INTERVALDAYTOSECOND, delays);
        Field<OffsetDateTime[]> due = array(select(after(now, delay).coerce(SQLDataType.TIMESTAMPWITHTIMEZONE))
                .from(rows.table())
                .orderBy(rows.position()));
        List<String> errors = retries.stream().map(EffectRetry::error).toList();
        return reports(claims, putBack(dsl, claims, due, errors, 0));
    }

    static List<EffectReport> release(DSLContext dsl, List<EffectClaim> claims) {
        return reports(claims, putBack(dsl, claims, never(), Collections.nCopies(claims.size(), null), -1));
    }

    private static Field<OffsetDateTime[]> never() {
        return DSL.val(new OffsetDateTime[0], SQLDataType.TIMESTAMPWITHTIMEZONE.array());
    }

    private static Field<Integer> noLimit() {
        return DSL.castNull(SQLDataType.INTEGER);
    }

    private static Map<EffectId, @Nullable EffectId> putBack(
            DSLContext dsl,
            List<EffectClaim> claims,
            Field<OffsetDateTime[]> due,
            List<? extends @Nullable String> errors,
            int attemptsAdded) {
        Map<EffectId, @Nullable EffectId> putBack = new HashMap<>();
        if (claims.isEmpty()) {
            return putBack;
        }
        var table = Routines.effectQueuePutBack(
                PgSql.array(claims.stream().map(claim -> claim.effect().value()).toList(), SQLDataType.BIGINT),
                PgSql.array(claims.stream().map(claim -> claim.id().value()).toList(), SQLDataType.BIGINT),
                due,
                PgSql.array(errors, SQLDataType.CLOB),
                PgSql.array(Collections.nCopies(claims.size(), attemptsAdded), SQLDataType.INTEGER),
                noLimit());
        dsl.select(table.EFFECT_ID, table.SUPERSEDED_BY)
                .from(table)
                .forEach(row -> putBack.put(row.value1(), row.value2()));
        return putBack;
    }

    private static List<EffectReport> reports(List<EffectClaim> claims, Map<EffectId, @Nullable EffectId> putBack) {
        return claims.stream().map(claim -> report(claim, putBack)).toList();
    }

    private static EffectReport report(EffectClaim claim, Map<EffectId, @Nullable EffectId> putBack) {
        EffectId newer = putBack.get(claim.effect());
        if (newer != null) {
            return new EffectReport(claim, EffectReport.Status.SUPERSEDED, newer);
        }
        boolean held = putBack.containsKey(claim.effect());
        return new EffectReport(claim, held ? EffectReport.Status.APPLIED : EffectReport.Status.CLAIM_LOST, null);
    }

    /** Lets effects that failed for good wait again, with attempts from 0; those that do, with what supersedes them. */
    static Map<EffectId, @Nullable EffectId> redrive(DSLContext dsl, Field<EffectId[]> effects) {
        Map<EffectId, @Nullable EffectId> redriven = new HashMap<>();
        var table = Routines.effectQueuePutBack(
                effects.coerce(SQLDataType.BIGINT.array()),
                DSL.val(new Long[0], SQLDataType.BIGINT.array()),
                never(),
                DSL.val(new String[0], SQLDataType.CLOB.array()),
                DSL.val(new Integer[0], SQLDataType.INTEGER.array()),
                noLimit());
        dsl.select(table.EFFECT_ID, table.SUPERSEDED_BY)
                .from(table)
                .forEach(row -> redriven.put(row.value1(), row.value2()));
        return redriven;
    }
}
