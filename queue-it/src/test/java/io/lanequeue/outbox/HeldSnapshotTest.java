package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Touched;
import io.lanequeue.testing.Wiring;
import java.time.Instant;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a claim costs while somebody holds a snapshot open, so that nothing that was served can be taken away. */
class HeldSnapshotTest {

    private static final int SERVED = 2_000;

    private final OutboxProducer producer = new OutboxProducer();
    private final OutboxConsumer consumer = new OutboxConsumer();
    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    /** Taken out: the lower bound of the statement. The second claim then walks as far as the first. */
    @Test
    void aNarrowedClaimDoesNotWalkPastWhatWasServed() {
        DSLContext dsl = db.open().dsl();
        Session holder = db.begin(Isolation.REPEATABLE_READ);
        holder.dsl().fetch("select 1");
        IntStream.range(0, SERVED).forEach(user -> append(dsl, user, "served"));
        consumer.complete(dsl, consumer.claim(dsl, request(SERVED)));
        append(dsl, SERVED, "last");
        Claim last = consumer.claim(dsl, request(1));
        append(dsl, SERVED + 1, "next");
        Instant since = last.lanes().get(0).availableSince();

        assertThat(headsWalkedBy(request(1))).isGreaterThan(SERVED);
        assertThat(headsWalkedBy(request(1).withAvailableSince(since))).isLessThan(10);
    }

    private void append(DSLContext dsl, long user, String type) {
        producer.append(dsl, NewEvent.of(user, 1, type, "{}"));
    }

    private static ClaimRequest request(int lanes) {
        return ClaimRequest.by("worker").withLanes(lanes);
    }

    private long headsWalkedBy(ClaimRequest request) {
        Session session = db.begin(Isolation.READ_COMMITTED);
        Touched before = Touched.by(session);
        assertThat(consumer.claim(session.dsl(), request).events())
                .extracting(Event::eventType)
                .containsExactly("next");
        long rows = Touched.by(session)
                .since(before)
                .of("dispatch_outbox_user_heads")
                .rows();
        session.rollback();
        return rows;
    }
}
