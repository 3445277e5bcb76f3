package io.lanequeue.soak;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;

import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Field;

/** Looks at the effects that are done, and tells the ledger. */
final class DoneEffects {

    private static final Field<Boolean> SUPERSEDED =
            field(coalesce(EFFECT_QUEUE.LAST_ERROR, inline("")).startsWith("superseded by effect "));

    private final EffectLedger ledger;

    DoneEffects(EffectLedger ledger) {
        this.ledger = ledger;
    }

    void check(DSLContext dsl) {
        Map<Boolean, List<EffectId>> done = dsl.select(SUPERSEDED, EFFECT_QUEUE.ID)
                .from(EFFECT_QUEUE)
                .where(EFFECT_QUEUE.STATE.eq(EffectState.DONE))
                .fetchGroups(SUPERSEDED, EFFECT_QUEUE.ID);
        ledger.superseded(done.getOrDefault(true, List.of()));
        ledger.done(done.getOrDefault(false, List.of()));
    }
}
