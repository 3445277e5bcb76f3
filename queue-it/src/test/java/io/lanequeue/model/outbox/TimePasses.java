package io.lanequeue.model.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.jooq.impl.DSL.select;

import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.schema.jooq.tables.DispatchOutboxUserHeads;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;

/** A lane's lease or back-off is over, unless somebody holds its head right now. */
record TimePasses(int position) implements Operation<OutboxModel> {

    private static final DispatchOutboxUserHeads H = DISPATCH_OUTBOX_USER_HEADS;
    private static final DispatchOutboxUserHeads FREE = H.as("free");

    @Override
    public Optional<Call<OutboxModel, Integer>> on(View<OutboxModel> view) {
        if (!view.isAutocommit()) {
            return Optional.empty();
        }
        return OutboxModel.pick(position, lane -> isHeldBack(lane, view.model()))
                .map(lane -> Call.<OutboxModel, Integer>of(dsl -> send(dsl, lane), (heads, now) -> explain(lane, heads))
                        .waitingOnlyFor(Set.of()));
    }

    /** Also where a claim found it empty and lets it wait for a moment. */
    private static boolean isHeldBack(long lane, OutboxModel model) {
        return !model.isClaimable(lane)
                || model.head(lane).filter(head -> !head.isDue()).isPresent();
    }

    private static int send(DSLContext dsl, long lane) {
        return dsl.update(H)
                .set(H.AVAILABLE_AT, Instant.EPOCH)
                .where(H.TARGET_USER_ID.in(select(FREE.TARGET_USER_ID)
                        .from(FREE)
                        .where(FREE.TARGET_USER_ID.eq(new TargetUserId(lane)))
                        .and(FREE.AVAILABLE_AT.lt(Instant.MAX))
                        .forNoKeyUpdate()
                        .skipLocked()))
                .execute();
    }

    private static Change<OutboxModel> explain(long lane, int heads) {
        return heads == 0 ? Change.none() : new Change<>(Set.of(), model -> model.timePasses(lane));
    }
}
