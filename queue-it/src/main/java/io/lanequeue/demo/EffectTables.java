package io.lanequeue.demo;

import static io.lanequeue.demo.DemoTables.column;
import static io.lanequeue.demo.DemoTables.tableOf;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;

import io.lanequeue.command.CommandFailedException;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.RepoId;
import java.time.Instant;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/** The tables of the second part; {@code demo/effect-tables.sql} says what they are for. */
final class EffectTables {

    static final Table<Record> EFFECTS = tableOf("effects");
    static final Field<EffectId> EFFECT = column("effects", "effect_id", EFFECT_QUEUE.ID.getDataType());
    static final Field<RepoId> EFFECT_REPO = column("effects", "repo_id", EFFECT_QUEUE.REPO_ID.getDataType());

    static final Table<Record> ATTEMPTS = tableOf("effect_attempts");
    static final Field<EffectId> ATTEMPT_EFFECT = column("effect_attempts", "effect_id", EFFECT_QUEUE.ID.getDataType());
    static final Field<RepoId> ATTEMPT_REPO = column("effect_attempts", "repo_id", EFFECT_QUEUE.REPO_ID.getDataType());
    static final Field<String> ATTEMPT_DISPATCHER = column("effect_attempts", "dispatcher", SQLDataType.CLOB);
    static final Field<Integer> ATTEMPT = column("effect_attempts", "attempt", SQLDataType.INTEGER);
    static final Field<Boolean> ATTEMPT_HANDLED = column("effect_attempts", "handled", SQLDataType.BOOLEAN);
    static final Field<Instant> ATTEMPT_ENQUEUED_AT =
            column("effect_attempts", "enqueued_at", EFFECT_QUEUE.ENQUEUED_AT.getDataType());
    static final Field<Instant> ATTEMPT_CLAIMED_AT =
            column("effect_attempts", "claimed_at", EFFECT_QUEUE.CLAIMED_AT.getDataType());
    static final Field<Double> ATTEMPT_WAITED_MS = column("effect_attempts", "waited_ms", SQLDataType.DOUBLE);

    static final Table<Record> PEAKS = tableOf("effect_peaks");
    static final Field<RepoId> PEAK_REPO = column("effect_peaks", "repo_id", EFFECT_QUEUE.REPO_ID.getDataType());
    static final Field<Integer> PEAK = column("effect_peaks", "in_flight", SQLDataType.INTEGER);

    private EffectTables() {}

    /** Creates the tables where they are missing, and the triggers that record how many effects are in flight. */
    static void create(DSLContext dsl) {
        DemoTables.define(dsl, "/demo/effect-tables.sql");
    }

    /** Drops the triggers. */
    static void dropTriggers(DSLContext dsl) {
        DemoTables.define(dsl, "/demo/effect-triggers-drop.sql");
    }

    /**
     * Empties the tables, unless effects of the demo still wait or are claimed: then an earlier process was killed, and
     * the present one goes on with what it left.
     *
     * @return how many effects it left
     */
    static int resumeOrEmpty(DSLContext dsl) {
        int left = dsl.fetchCount(EFFECTS.leftSemiJoin(EFFECT_QUEUE)
                .on(EFFECT_QUEUE.ID.eq(EFFECT))
                .and(isNotOver()));
        if (left == 0) {
            List.of(EFFECTS, ATTEMPTS, PEAKS)
                    .forEach(table -> dsl.truncate(table).execute());
        } else {
            // What was in flight under its cap may be more than the present one allows.
            dsl.update(PEAKS).set(PEAK, 0).execute();
        }
        return left;
    }

    /** Refuses a queue with effects of others: the demo's dispatchers would complete them without doing them. */
    static void refuseForeignEffects(DSLContext dsl) {
        int foreign = dsl.fetchCount(EFFECT_QUEUE.leftAntiJoin(EFFECTS).on(EFFECT.eq(EFFECT_QUEUE.ID)), isNotOver());
        if (foreign > 0) {
            throw new CommandFailedException(
                    "The effect queue of this database holds " + foreign + " effects that the demo did not enqueue. It"
                            + " would take them away, so it does not start. Name another database.");
        }
    }

    /** Whether an effect of the queue waits or is claimed. */
    static Condition isNotOver() {
        return EFFECT_QUEUE.STATE.in(EffectState.SCHEDULED, EffectState.ENQUEUED, EffectState.CLAIMED);
    }
}
