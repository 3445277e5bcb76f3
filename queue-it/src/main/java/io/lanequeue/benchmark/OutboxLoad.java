package io.lanequeue.benchmark;

import io.lanequeue.benchmark.baseline.Payload;
import io.lanequeue.command.Session;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** Appends events to random lanes, in one call each time. */
final class OutboxLoad implements SteadyLoad.Producer {

    private final OutboxProducer producer = new OutboxProducer();
    private final Session session;
    private final int lanes;
    private int pts;

    /** @param pts of the first event; each one after it has a higher one, so that none goes before what waits */
    OutboxLoad(Session session, int lanes, int pts) {
        this.session = session;
        this.lanes = lanes;
        this.pts = pts;
    }

    @Override
    public void append(int events) {
        List<NewEvent> batch = Stream.generate(this::event).limit(events).toList();
        producer.appendAll(session.dsl(), batch);
    }

    private NewEvent event() {
        int lane = ThreadLocalRandom.current().nextInt(lanes);
        return NewEvent.of(lane, pts++, OutboxBacklog.EVENT_TYPE, Payload.of(pts));
    }
}
