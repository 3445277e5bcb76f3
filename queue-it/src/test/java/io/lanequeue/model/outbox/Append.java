package io.lanequeue.model.outbox;

import io.lanequeue.model.Call;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.schema.EventId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
    public Optional<Call<OutboxModel, Appended>> on(View<OutboxModel> view) {
        Call<OutboxModel, Appended> call = Call.of(dsl -> send(dsl, view), Appended::change);
        if (!view.isReadCommitted()
                || !entries.stream().allMatch(entry -> Appended.comesBehind(entry.lane(), entry.pts(), view))) {
            return Optional.of(call);
        }
        Set<Row> rows = new HashSet<>(Set.of(Row.OUTBOX));
        entries.forEach(entry -> rows.add(Row.changingHead(entry.lane())));
        return Optional.of(call.waitingOnlyFor(rows));
    }

    private Appended send(DSLContext dsl, View<OutboxModel> view) {
        List<NewEvent> events = entries.stream()
                .map(entry -> NewEvent.of(entry.lane(), entry.pts(), "model", "{}"))
                .toList();
        List<EventId> ids =
                events.size() == 1 ? List.of(PRODUCER.append(dsl, events.get(0))) : PRODUCER.appendAll(dsl, events);
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            places.add(new Place(entries.get(i).lane(), entries.get(i).pts(), ids.get(i)));
        }
        return new Appended(places, Heads.after(dsl, view));
    }
}
