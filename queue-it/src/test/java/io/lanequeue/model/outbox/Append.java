package io.lanequeue.model.outbox;

import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.schema.EventId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jooq.DSLContext;

/** Appends events in one statement. */
record Append(List<Entry> entries) implements Operation<OutboxModel> {

    private static final OutboxProducer PRODUCER = new OutboxProducer();

    /** Where a new event is to stand. */
    record Entry(long lane, int pts) {

        @Override
        public String toString() {
            return "lane " + lane + " pts " + pts;
        }
    }

    @Override
    public Optional<Call<OutboxModel, List<EventId>>> on(View<OutboxModel> view) {
        Call<OutboxModel, List<EventId>> call = Call.of(this::send, this::explain);
        if (!view.isReadCommitted() || !entries.stream().allMatch(entry -> comesBehind(entry, view))) {
            return Optional.of(call);
        }
        Set<Row> rows = new HashSet<>(Set.of(Row.OUTBOX));
        entries.forEach(entry -> rows.add(Row.changingHead(entry.lane())));
        return Optional.of(call.waitingOnlyFor(rows));
    }

    private List<EventId> send(DSLContext dsl) {
        List<NewEvent> events = entries.stream()
                .map(entry -> NewEvent.of(entry.lane(), entry.pts(), "model", "{}"))
                .toList();
        return events.size() == 1 ? List.of(PRODUCER.append(dsl, events.get(0))) : PRODUCER.appendAll(dsl, events);
    }

    private Change<OutboxModel> explain(List<EventId> ids, View<OutboxModel> now) {
        Violation.unless(ids.size() == entries.size(), "append: not one id for each event");
        List<Place> appended = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            appended.add(new Place(entries.get(i).lane(), entries.get(i).pts(), ids.get(i)));
        }
        return change(appended, now);
    }

    /** Whether the head was seen before the new event, and is nothing that this transaction changed. */
    private static boolean comesBehind(Entry entry, View<OutboxModel> view) {
        return !view.mine().contains(Row.head(entry.lane()))
                && view.model()
                        .head(entry.lane())
                        .filter(head -> head.place().pts() <= entry.pts())
                        .isPresent();
    }

    /**
     * What follows from events that were appended: a lane that was held back by a later event is ready, and so is one
     * that was drained though an old snapshot still shows its head.
     */
    static Change<OutboxModel> change(List<Place> appended, View<OutboxModel> now) {
        Map<Long, Place> lowest = new TreeMap<>();
        appended.forEach(
                event -> lowest.merge(event.lane(), event, (one, other) -> one.compareTo(other) < 0 ? one : other));
        Set<Row> held = new HashSet<>();
        Set<Long> ready = new HashSet<>();
        lowest.forEach((lane, event) -> {
            if (!now.isSure() || !comesBehind(new Entry(lane, event.pts()), now)) {
                held.addAll(Row.lane(lane));
            }
            boolean wasDrained = !now.isReadCommitted()
                    && !now.mine().contains(Row.head(lane))
                    && now.latest().head(lane).isEmpty();
            if (wasDrained
                    || now.model()
                            .failedEvent(lane)
                            .filter(failed -> event.compareTo(failed) < 0)
                            .isPresent()) {
                ready.add(lane);
            }
        });
        return new Change<>(held, model -> {
            model.append(appended);
            ready.forEach(model::ready);
        });
    }
}
