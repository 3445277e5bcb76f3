package io.lanequeue.model.outbox;

import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;

/** Empties the outbox by plain SQL, unless somebody has something in hand. */
record Truncate() implements Operation<OutboxModel> {

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    @Override
    public Optional<Call<OutboxModel, Boolean>> on(View<OutboxModel> view) {
        return view.isAutocommit() && view.isSure() && view.others().isEmpty()
                ? Optional.of(Call.of(
                        Truncate::send,
                        (isEmptied, now) -> isEmptied ? new Change<>(Set.of(), OutboxModel::truncate) : Change.none()))
                : Optional.empty();
    }

    /** Whether it could: an open append is not among what others are known to hold. */
    private static boolean send(DSLContext dsl) {
        try {
            dsl.execute("do $$ begin lock table lanequeue.dispatch_outbox in access exclusive mode nowait;"
                    + " truncate lanequeue.dispatch_outbox; end $$");
            return true;
        } catch (DataAccessException e) {
            if (e.sqlState().equals(LOCK_NOT_AVAILABLE)) {
                return false;
            }
            throw e;
        }
    }
}
