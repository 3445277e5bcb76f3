package io.lanequeue.benchmark;

import io.lanequeue.CallAgainException;
import io.lanequeue.benchmark.baseline.BatchConsumer;
import io.lanequeue.command.Session;
import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.ClaimWindow;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.outbox.OutboxConsumer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A worker of the dispatch outbox, through the library. */
final class OutboxBatches implements BatchConsumer {

    private static final Claim NOTHING = new Claim(List.of(), 0, null);

    private final OutboxConsumer consumer = new OutboxConsumer();
    private final Session session;
    private final ClaimRequest request;
    private final Consumer<Claim> handler;
    private final ClaimWindow window;
    private Claim claim = NOTHING;
    private int gaveWay;

    private OutboxBatches(Session session, ClaimRequest request, Consumer<Claim> handler, ClaimWindow window) {
        this.session = session;
        this.request = request;
        this.handler = handler;
        this.window = window;
    }

    /** Each of whose claims looks from the beginning. */
    OutboxBatches(Session session, ClaimRequest request, Consumer<Claim> handler) {
        this(session, request, handler, ClaimWindow.of(Duration.ZERO, Duration.ZERO));
    }

    /** Whose claims begin where the window says. */
    OutboxBatches(Session session, ClaimRequest request, ClaimWindow window) {
        this(session, request, claimed -> {}, window);
    }

    OutboxBatches(Session session, ClaimRequest request) {
        this(session, request, claimed -> {});
    }

    @Override
    public int claim() {
        try {
            claim = consumer.claim(session.dsl(), window.narrow(request));
            window.advance(claim);
        } catch (CallAgainException e) {
            gaveWay++;
            claim = NOTHING;
        }
        handler.accept(claim);
        return claim.lanes().stream().mapToInt(lane -> lane.events().size()).sum();
    }

    @Override
    public void complete() {
        while (true) {
            try {
                consumer.complete(session.dsl(), claim);
                return;
            } catch (CallAgainException e) {
                gaveWay++;
            }
        }
    }

    @Override
    public void release() {
        consumer.release(
                session.dsl(), claim.lanes().stream().map(LeasedLane::lease).toList());
    }

    /** What the last claim got. */
    Claim claimed() {
        return claim;
    }

    /** How many calls gave way to another transaction: deadlocks. */
    int gaveWay() {
        return gaveWay;
    }

    @Override
    public void close() throws SQLException {
        session.close();
    }
}
