package io.lanequeue.model.effects;

import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/** Empties the queue by plain SQL, unless somebody has something in hand. */
record Truncate() implements Operation<EffectsModel> {

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    @Override
    public Optional<Call<EffectsModel, Boolean>> on(View<EffectsModel> view) {
        return view.isAutocommit() && view.isSure() && view.others().isEmpty()
                ? Optional.of(Call.of(
                        Truncate::send,
                        (isEmptied, now) -> isEmptied ? new Change<>(Set.of(), EffectsModel::truncate) : Change.none()))
                : Optional.empty();
    }

    /** Whether it could: an open enqueue is not among what others are known to hold. */
    private static boolean send(DSLContext dsl) {
        try {
            dsl.execute("do $$ begin lock table lanequeue.effect_queue in access exclusive mode nowait;"
                    + " truncate lanequeue.effect_queue; end $$");
            return true;
        } catch (DataAccessException e) {
            if (e.sqlState().equals(LOCK_NOT_AVAILABLE)) {
                return false;
            }
            throw e;
        }
    }
}
