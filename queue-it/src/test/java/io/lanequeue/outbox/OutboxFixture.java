package io.lanequeue.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.schema.jooq.tables.records.DispatchOutboxUserHeadsRecord;
import io.lanequeue.testing.QueueFixture;
import io.lanequeue.testing.Session;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jooq.DSLContext;

/** The usual calls in few words. */
abstract class OutboxFixture extends QueueFixture {

    static final Duration LEASE = Duration.ofMinutes(5);

    final OutboxProducer producer = new OutboxProducer();
    final OutboxConsumer consumer = new OutboxConsumer();

    static TargetUserId lane(long user) {
        return new TargetUserId(user);
    }

    static NewEvent event(long user, int pts) {
        return NewEvent.of(user, pts, "message", "{\"pts\": " + pts + "}");
    }

    EventId append(DSLContext context, long user, int pts) {
        return producer.append(context, event(user, pts));
    }

    /** Events with pts 1, 2, … for a user. */
    List<EventId> appendMany(long user, int count) {
        return producer.appendAll(
                dsl,
                IntStream.rangeClosed(1, count)
                        .mapToObj(pts -> event(user, pts))
                        .toList());
    }

    static ClaimRequest request(int lanes, int eventsPerLane) {
        return ClaimRequest.by("worker")
                .withLanes(lanes)
                .withEventsPerLane(eventsPerLane)
                .withLease(LEASE);
    }

    Claim claim(DSLContext context, int lanes, int eventsPerLane) {
        return consumer.claim(context, request(lanes, eventsPerLane));
    }

    /** Claims the one lane that is available. */
    LeasedLane claimOne(DSLContext context, int eventsPerLane) {
        Claim claim = claim(context, 10, eventsPerLane);
        if (claim.lanes().size() != 1) {
            throw new AssertionError("One lane was expected, but claimed " + claim);
        }
        return claim.lanes().get(0);
    }

    /** So many lanes were put in order, and none is there to be delivered. */
    static void assertOnlySettled(Claim claim, int lanes) {
        assertThat(claim.lanes()).isEmpty();
        assertThat(claim.settledLanes()).isEqualTo(lanes);
    }

    /** Claims and completes until nothing is left; the delivered events in order. */
    List<Event> drain(DSLContext context) {
        List<Event> delivered = new java.util.ArrayList<>();
        Claim claim = claim(context, 100, 10);
        while (!claim.isIdle()) {
            delivered.addAll(claim.events());
            consumer.complete(context, claim);
            claim = claim(context, 100, 10);
        }
        return delivered;
    }

    Optional<DispatchOutboxUserHeadsRecord> head(long user) {
        return dsl.fetchOptional(DISPATCH_OUTBOX_USER_HEADS, DISPATCH_OUTBOX_USER_HEADS.TARGET_USER_ID.eq(lane(user)));
    }

    List<EventId> eventsOf(long user) {
        return dsl.select(DISPATCH_OUTBOX.ID)
                .from(DISPATCH_OUTBOX)
                .where(DISPATCH_OUTBOX.TARGET_USER_ID.eq(lane(user)))
                .orderBy(DISPATCH_OUTBOX.PTS, DISPATCH_OUTBOX.ID)
                .fetch(DISPATCH_OUTBOX.ID);
    }

    static List<EventId> ids(LeasedLane lane) {
        return lane.events().stream().map(Event::id).toList();
    }

    /** Deletes an event as any SQL client might. */
    static void deleteBySql(Session session, EventId event) {
        session.dsl()
                .deleteFrom(DISPATCH_OUTBOX)
                .where(DISPATCH_OUTBOX.ID.eq(event))
                .execute();
    }
}
