package io.lanequeue.outbox;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Touched;
import io.lanequeue.testing.Wiring;
import java.time.Instant;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

    private static Stream<LogicalShards> shards() {
        return Stream.of(LogicalShards.all(), LogicalShards.of(7, 8));
    }

    /** Taken out: the lower bound of the statement. The second claim then walks as far as the first. */
    @ParameterizedTest
    @MethodSource("shards")
    void aNarrowedClaimDoesNotWalkPastWhatWasServed(LogicalShards shards) {
        DSLContext dsl = db.open().dsl();
        Session holder = db.begin(Isolation.REPEATABLE_READ);
        holder.dsl().fetch("select 1");
        ClaimRequest request = ClaimRequest.by("worker").withShards(shards);
        IntStream.range(0, SERVED).forEach(number -> append(dsl, number, "served"));
        consumer.complete(dsl, consumer.claim(dsl, request.withLanes(SERVED)));
        append(dsl, SERVED, "last");
        Instant since = requireNonNull(consumer.claim(dsl, request.withLanes(1)).noneFreeBefore());
        append(dsl, SERVED + 1, "next");

        assertThat(headsWalkedBy(request)).isGreaterThan(SERVED);
        assertThat(headsWalkedBy(request.withAvailableSince(since))).isLessThan(20);
    }

    /** To a lane of shard 7. */
    private void append(DSLContext dsl, long number, String type) {
        producer.append(dsl, NewEvent.of(7 + number * 256, 1, type, "{}"));
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
