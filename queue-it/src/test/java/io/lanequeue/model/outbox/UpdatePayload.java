package io.lanequeue.model.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;

import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import java.util.Optional;
import java.util.Set;
import org.jooq.JSONB;

/** Changes the payload of a lane's first event by plain SQL: for a moment it is held. */
record UpdatePayload(long lane) implements Operation<OutboxModel> {

    @Override
    public Optional<Call<OutboxModel, Integer>> on(View<OutboxModel> view) {
        return view.model().events(lane).stream()
                .findFirst()
                .map(event -> Call.of(
                        dsl -> dsl.update(DISPATCH_OUTBOX)
                                .set(DISPATCH_OUTBOX.PAYLOAD, JSONB.valueOf("[]"))
                                .where(DISPATCH_OUTBOX.ID.eq(event.id()))
                                .execute(),
                        (count, now) -> {
                            Violation.unless(
                                    count == (now.model().contains(event) ? 1 : 0), "updated %s of %s", count, event);
                            return Change.holding(Set.of(Row.event(event)));
                        }));
    }
}
