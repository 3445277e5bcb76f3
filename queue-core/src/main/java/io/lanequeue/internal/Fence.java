package io.lanequeue.internal;

import static org.jooq.impl.DSL.floor;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.rand;

import org.jooq.Field;
import org.jooq.Sequence;
import org.jooq.impl.SQLDataType;

/** The numbers of leases and claims. */
public final class Fence {

    /** So many random numbers stand behind each of the sequence, which leaves it 2^47. */
    public static final long RANDOM_NUMBERS = 1 << 16;

    private Fence() {}

    /**
     * A number that fits no other claim. A sequence alone does not promise that: what it gave to a transaction that was
     * not committed it may give again after a crash, and a standby that takes over may not have heard of the last ones.
     * So the sequence counts, and what comes behind it is random.
     */
    public static Field<Long> next(Sequence<Long> sequence) {
        return sequence.nextval()
                .times(inline(RANDOM_NUMBERS))
                .plus(floor(rand().times(inline(RANDOM_NUMBERS))).cast(SQLDataType.BIGINT));
    }
}
