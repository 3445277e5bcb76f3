package io.lanequeue.soak;

import static io.lanequeue.schema.jooq.Sequences.EFFECT_QUEUE_CLAIM_SEQ;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import io.lanequeue.internal.Fence;
import io.lanequeue.schema.ClaimId;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/** The newest claim that was given out, of whatever effect. */
final class NewestClaim {

    private static final Field<Long> LAST_VALUE = field(name("last_value"), SQLDataType.BIGINT);

    private NewestClaim() {}

    static ClaimId of(DSLContext dsl) {
        long last = dsl.select(LAST_VALUE)
                .from(table(EFFECT_QUEUE_CLAIM_SEQ.getQualifiedName()))
                .fetchSingle(LAST_VALUE);
        return new ClaimId(last * Fence.RANDOM_NUMBERS + Fence.RANDOM_NUMBERS - 1);
    }
}
