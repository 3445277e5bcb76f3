package io.lanequeue.faults;

import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.outbox.OutboxProducer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.jooq.DSLContext;

/** A process that works on both queues in one transaction, says so, and never comes to the commit. */
final class ClientInTheMiddle {

    static final String SAYS = "in the middle";

    private ClientInTheMiddle() {}

    public static void main(String[] arguments) throws SQLException, IOException {
        try (Connection connection = DriverManager.getConnection(arguments[0])) {
            connection.setAutoCommit(false);
            work(Client.dsl(connection));
            System.out.println(SAYS);
            // Until it is killed.
            System.in.read();
        }
    }

    private static void work(DSLContext dsl) {
        new OutboxProducer().append(dsl, NewEvent.of(2, 1, "message", "{}"));
        new EffectProducer().enqueue(dsl, NewEffect.of("other repo", "{}"));
        var outbox = new OutboxConsumer();
        outbox.complete(dsl, outbox.claim(dsl, ClaimRequest.by("worker to die")));
        var effects = new EffectConsumer();
        effects.complete(
                dsl,
                effects.dispatch(dsl, DispatchRequest.by("worker to die")).stream()
                        .map(ClaimedEffect::claim)
                        .toList());
    }
}
