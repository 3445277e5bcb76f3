package io.lanequeue.worker;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;

import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.schema.jooq.tables.records.DispatchOutboxUserHeadsRecord;
import io.lanequeue.testing.NumberedEvents;
import java.time.Duration;
import java.util.List;

/** Workers of the outbox. */
abstract class OutboxWorkerFixture extends WorkerFixture {

    static final Duration LEASE = Duration.ofMinutes(3);

    static ClaimRequest request() {
        return ClaimRequest.by("worker").withLanes(4).withEventsPerLane(5).withLease(LEASE);
    }

    OutboxWorker.Builder worker(ClaimRequest request) {
        return OutboxWorker.on(source(), request)
                .withPollInterval(POLL_INTERVAL)
                .withEvents(witness);
    }

    /** A worker in whose time nothing happens by itself. */
    OutboxWorker start(EventHandler handler) {
        return start(worker(request()), handler);
    }

    OutboxWorker start(OutboxWorker.Builder builder, EventHandler handler) {
        return started(builder.start(threads, handler, timing));
    }

    /** A worker in real time. */
    OutboxWorker run(OutboxWorker.Builder builder, EventHandler handler) {
        return started(builder.withPollInterval(Duration.ofMillis(20)).start(threads, handler));
    }

    /** Events with pts 1, 2, … for a user. */
    void append(long user, int count) {
        NumberedEvents.append(dsl, user, count);
    }

    DispatchOutboxUserHeadsRecord head(long user) {
        return dsl.fetchSingle(
                DISPATCH_OUTBOX_USER_HEADS, DISPATCH_OUTBOX_USER_HEADS.TARGET_USER_ID.eq(new TargetUserId(user)));
    }

    /** The events of a user that wait, by their pts. */
    List<Integer> waiting(long user) {
        return dsl.select(DISPATCH_OUTBOX.PTS)
                .from(DISPATCH_OUTBOX)
                .where(DISPATCH_OUTBOX.TARGET_USER_ID.eq(new TargetUserId(user)))
                .orderBy(DISPATCH_OUTBOX.PTS)
                .fetch(DISPATCH_OUTBOX.PTS);
    }

    int leasedLanes() {
        return dsl.fetchCount(DISPATCH_OUTBOX_USER_HEADS, DISPATCH_OUTBOX_USER_HEADS.LEASE_ID.isNotNull());
    }

    /** Another worker claims what is leased, as if all leases were over. */
    Claim claimByAnother() {
        return OutboxConsumer.at(TOMORROW).claim(dsl, ClaimRequest.by("another"));
    }
}
