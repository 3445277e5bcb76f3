package io.lanequeue.model.outbox;

import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.outbox.OutboxAudit;
import io.lanequeue.outbox.Repair;
import io.lanequeue.schema.EventId;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Repairs the heads. In a transaction, so that what it did can be looked up before anybody else goes on. */
record RepairHeads() implements Operation<OutboxModel> {

    private static final OutboxAudit AUDIT = new OutboxAudit();

    /** A repair, and the heads after it. */
    record Result(Repair repair, Map<Long, EventId> heads) {}

    @Override
    public Optional<Call<OutboxModel, Result>> on(View<OutboxModel> view) {
        return view.isReadCommitted() && !view.isAutocommit()
                ? Optional.of(
                        Call.of(dsl -> new Result(AUDIT.repair(dsl), Heads.after(dsl, view)), RepairHeads::explain))
                : Optional.empty();
    }

    /** A head that is not its lane's first event moves there, and its lane is ready; one that others hold is left. */
    private static Change<OutboxModel> explain(Result result, View<OutboxModel> now) {
        Set<Row> held = new HashSet<>(Set.of(Row.OUTBOX));
        Set<Long> moved = new HashSet<>();
        for (long lane : OutboxModel.LANES) {
            held.addAll(Row.lane(lane));
            now.model().failedEvent(lane).ifPresent(failed -> {
                boolean isFirst = now.model().events(lane).get(0).equals(failed);
                boolean hasMoved = !failed.id().equals(result.heads().get(lane));
                Violation.unless(
                        hasMoved ? !isFirst : isFirst || !now.isFree(Row.head(lane)),
                        "repair of lane %s, held back by %s: %s",
                        lane,
                        failed,
                        result);
                if (hasMoved) {
                    moved.add(lane);
                }
            });
        }
        return new Change<>(held, model -> moved.forEach(model::ready));
    }
}
