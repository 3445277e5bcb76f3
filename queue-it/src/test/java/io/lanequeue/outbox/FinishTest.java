package io.lanequeue.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EventId;
import io.lanequeue.schema.jooq.tables.records.DispatchOutboxUserHeadsRecord;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Updates;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jooq.JSONB;
import org.junit.jupiter.api.Test;

class FinishTest extends OutboxFixture {

    private static final Duration DELAY = Duration.ofMinutes(2);

    @Test
    void completesAWholeClaim() {
        List<EventId> first = appendMany(1, 3);
        List<EventId> second = appendMany(2, 2);
        Claim claim = claim(dsl, 10, 2);

        List<LaneReport> reports = consumer.complete(dsl, claim);

        assertThat(reports).extracting(LaneReport::status).containsOnly(LaneReport.Status.FINISHED);
        assertThat(reports.get(0).deleted()).isEqualTo(first.subList(0, 2));
        assertThat(reports.get(1).deleted()).isEqualTo(second);
        assertThat(eventsOf(1)).containsExactly(first.get(2));
        assertThat(head(1).orElseThrow().getHeadId()).isEqualTo(first.get(2));
        assertThat(head(1).orElseThrow().getLeaseId()).isNull();
        assertThat(head(2)).isEmpty();
    }

    @Test
    void completesADeliveredPrefixAndReleasesTheRest() {
        List<EventId> events = appendMany(1, 4);
        LeasedLane lane = claimOne(dsl, 4);

        LaneReport report = finish(LaneOutcome.deliveredThrough(lane, events.get(1)));

        assertThat(report.status()).isEqualTo(LaneReport.Status.FINISHED);
        assertThat(report.deleted()).isEqualTo(events.subList(0, 2));
        LeasedLane next = claimOne(dsl, 4);
        assertThat(ids(next)).isEqualTo(events.subList(2, 4));
        assertThat(next.attempts()).isEqualTo(1);
    }

    @Test
    void retriesAFailedEventAfterItsDelayWithTheErrorKeptAndAttemptsCounted() {
        List<EventId> events = appendMany(1, 3);
        LeasedLane lane = claimOne(dsl, 3);

        LaneReport report = finish(LaneOutcome.retry(lane, events.get(1), DELAY, "no route"));

        assertThat(report.status()).isEqualTo(LaneReport.Status.FINISHED);
        assertThat(report.deleted()).containsExactly(events.get(0));
        DispatchOutboxUserHeadsRecord head = head(1).orElseThrow();
        assertThat(head.getHeadId()).isEqualTo(events.get(1));
        assertThat(head.getLastError()).isEqualTo("no route");
        assertThat(head.getAttempts()).isEqualTo(1);
        assertThat(claim(dsl, 10, 1).isEmpty()).as("backing off").isTrue();

        LeasedLane again = OutboxConsumer.at(head.getAvailableAt())
                .claim(dsl, request(10, 3))
                .lanes()
                .get(0);
        assertThat(ids(again)).isEqualTo(events.subList(1, 3));
        assertThat(again.attempts()).isEqualTo(2);
        assertThat(again.lastError()).isEqualTo("no route");
    }

    @Test
    void countsEachAttemptOfTheSameEvent() {
        appendMany(1, 1);
        for (int attempt = 1; attempt <= 4; attempt++) {
            LeasedLane lane = claimOne(dsl, 1);
            assertThat(lane.attempts()).isEqualTo(attempt);
            finish(LaneOutcome.retry(lane, ids(lane).get(0), Duration.ZERO, "attempt " + attempt));
        }
    }

    @Test
    void blocksTheLane() {
        List<EventId> events = appendMany(1, 3);
        LeasedLane lane = claimOne(dsl, 3);

        LaneReport report = finish(LaneOutcome.block(lane, events.get(1), "poison"));

        assertThat(report.status()).isEqualTo(LaneReport.Status.FINISHED);
        assertThat(eventsOf(1)).isEqualTo(events.subList(1, 3));
        assertThat(head(1).orElseThrow().getLastError()).isEqualTo("poison");
        assertThat(head(1).orElseThrow().getAvailableAt()).isEqualTo(Instant.MAX);
        assertThat(OutboxConsumer.at(lane.leasedUntil().plus(Duration.ofDays(3650)))
                        .claim(dsl, request(10, 3))
                        .isEmpty())
                .isTrue();
        append(dsl, 1, 9);
        assertThat(claim(dsl, 10, 3).isEmpty())
                .as("still blocked with more behind")
                .isTrue();
    }

    @Test
    void releasesALaneUnharmed() {
        List<EventId> events = appendMany(1, 2);
        LeasedLane failed = claimOne(dsl, 1);
        finish(LaneOutcome.retry(failed, events.get(0), Duration.ZERO, "first error"));
        LeasedLane released = claimOne(dsl, 2);
        assertThat(released.attempts()).isEqualTo(2);

        assertThat(consumer.release(dsl, List.of(released.lease())))
                .extracting(LaneReport::status)
                .containsExactly(LaneReport.Status.FINISHED);

        LeasedLane next = claimOne(dsl, 2);
        assertThat(ids(next)).isEqualTo(events);
        assertThat(next.attempts()).as("the released claim does not count").isEqualTo(2);
        assertThat(next.lastError()).isEqualTo("first error");
    }

    @Test
    void sendsNothingForNoOutcomes() {
        assertThat(consumer.finish(dsl, List.of())).isEmpty();
        assertThat(consumer.complete(dsl, new Claim(List.of(), 0, null))).isEmpty();
    }

    @Test
    void changesNothingUnderALostLeaseAndSaysSo() {
        List<EventId> events = appendMany(1, 2);
        LeasedLane first = claimOne(dsl, 1);
        LeasedLane second = OutboxConsumer.at(first.leasedUntil())
                .claim(dsl, request(10, 1))
                .lanes()
                .get(0);

        assertThat(finish(LaneOutcome.completed(first)).status()).isEqualTo(LaneReport.Status.LEASE_LOST);
        assertThat(finish(LaneOutcome.retry(first, events.get(0), DELAY, "late"))
                        .status())
                .isEqualTo(LaneReport.Status.LEASE_LOST);
        assertThat(finish(LaneOutcome.block(first, events.get(0), "late")).status())
                .isEqualTo(LaneReport.Status.LEASE_LOST);
        assertThat(finish(LaneOutcome.released(first)).status()).isEqualTo(LaneReport.Status.LEASE_LOST);
        assertThat(consumer.extend(dsl, List.of(first.lease()), LEASE)).isEmpty();

        assertThat(eventsOf(1)).isEqualTo(events);
        assertThat(head(1).orElseThrow().getLeaseId()).isEqualTo(second.lease().id());
        assertThat(head(1).orElseThrow().getLastError()).isNull();
        assertThat(finish(LaneOutcome.completed(second)).status()).isEqualTo(LaneReport.Status.FINISHED);
    }

    @Test
    void reportsEachLaneOfABatchByItself() {
        appendMany(1, 1);
        appendMany(2, 1);
        appendMany(3, 2);
        Claim claim = claim(dsl, 10, 1);
        LeasedLane lost = claim.lanes().get(1);
        consumer.release(dsl, List.of(lost.lease()));

        List<LaneReport> reports = consumer.complete(dsl, claim);

        assertThat(reports)
                .extracting(LaneReport::status)
                .containsExactly(LaneReport.Status.FINISHED, LaneReport.Status.LEASE_LOST, LaneReport.Status.FINISHED);
        assertThat(eventsOf(2)).hasSize(1);
    }

    @Test
    void reportsEventsThatAreGone() {
        List<EventId> events = appendMany(1, 3);
        LeasedLane lane = claimOne(dsl, 3);
        deleteBySql(db.open(), events.get(1));

        LaneReport report = finish(LaneOutcome.completed(lane));

        assertThat(report.deleted()).containsExactly(events.get(0), events.get(2));
        assertThat(report.missing()).containsExactly(events.get(1));
        assertThat(head(1)).isEmpty();
    }

    @Test
    void skipsAnEventThatAnotherTransactionIsDeleting() {
        List<EventId> events = appendMany(1, 2);
        LeasedLane lane = claimOne(dsl, 2);
        Session deleter = db.begin(Isolation.READ_COMMITTED);
        deleteBySql(deleter, events.get(0));

        LaneReport report = finish(LaneOutcome.completed(lane));
        deleter.rollback();

        assertThat(report.deleted()).containsExactly(events.get(1));
        assertThat(report.missing()).containsExactly(events.get(0));
        assertThat(ids(claimOne(dsl, 2))).containsExactly(events.get(0));
    }

    @Test
    void ofTwoCompletionsAtOnceOneFinishesAndTheOtherIsTold() {
        appendMany(1, 1);
        LeasedLane lane = claimOne(dsl, 1);
        Session first = db.begin(Isolation.READ_COMMITTED);
        Session second = db.begin(Isolation.READ_COMMITTED);

        LaneReport one = consumer.finish(first.dsl(), List.of(LaneOutcome.completed(lane)))
                .get(0);
        var waiting = second.start(context -> consumer.finish(context, List.of(LaneOutcome.completed(lane))))
                .awaitWaiting();
        first.commit();
        LaneReport two = waiting.get().get(0);
        second.commit();

        assertThat(one.status()).isEqualTo(LaneReport.Status.FINISHED);
        assertThat(two.status()).isEqualTo(LaneReport.Status.LEASE_LOST);
    }

    /** The head has another place by then, and what would remove it looks at the one it had. */
    @Test
    void leavesAHeadThatWasExtendedWhileItWaitedToTheNextClaim() {
        appendMany(1, 1);
        LeasedLane lane = claimOne(dsl, 1);
        Session extending = db.begin(Isolation.READ_COMMITTED);
        consumer.extend(extending.dsl(), List.of(lane.lease()), LEASE);
        Session finishing = db.begin(Isolation.READ_COMMITTED);

        var waiting = finishing
                .start(context -> consumer.finish(context, List.of(LaneOutcome.completed(lane))))
                .awaitWaiting();
        extending.commit();
        LaneReport report = waiting.get().get(0);
        finishing.commit();

        assertThat(report.status()).isEqualTo(LaneReport.Status.FINISHED);
        assertThat(head(1).orElseThrow().getLeaseId()).isNull();
        assertThat(consumer.claim(dsl, request(1, 1)).lanes()).isEmpty();
        assertThat(head(1)).isEmpty();
    }

    @Test
    void releasesALaneWhoseFailedEventIsGone() {
        List<EventId> events = appendMany(1, 2);
        LeasedLane lane = claimOne(dsl, 1);
        deleteBySql(db.open(), events.get(0));

        LaneReport report = finish(LaneOutcome.block(lane, events.get(0), "poison"));

        assertThat(report.status()).isEqualTo(LaneReport.Status.DISPLACED);
        assertThat(ids(claimOne(dsl, 1))).containsExactly(events.get(1));
    }

    @Test
    void doesNotBlockBehindALowerEventThatCameMeanwhile() {
        EventId failed = append(dsl, 1, 10);
        LeasedLane lane = claimOne(dsl, 1);
        EventId lower = append(dsl, 1, 5);

        LaneReport report = finish(LaneOutcome.block(lane, failed, "poison"));

        assertThat(report.status()).isEqualTo(LaneReport.Status.DISPLACED);
        LeasedLane next = claimOne(dsl, 2);
        assertThat(ids(next)).containsExactly(lower, failed);
        assertThat(next.attempts()).isEqualTo(1);
    }

    /** It stays, since its place is another one by then. Taken out: the deleted events among which it is looked for. */
    @Test
    void doesNotBlockBehindAnEventWhosePayloadIsUpdatedMeanwhile() {
        append(dsl, 1, 10);
        List<EventId> events = appendMany(2, 2);
        List<LeasedLane> lanes = consumer.claim(dsl, request(2, 2)).lanes();
        Session producer = db.begin(Isolation.READ_COMMITTED);
        append(producer.dsl(), 1, 5);
        Session finishing = db.begin(Isolation.READ_COMMITTED);

        var waiting = finishing
                .start(context -> consumer.finish(
                        context,
                        List.of(
                                LaneOutcome.completed(lanes.get(0)),
                                LaneOutcome.block(lanes.get(1), events.get(1), "poison"))))
                .awaitWaiting();
        dsl.update(DISPATCH_OUTBOX)
                .set(DISPATCH_OUTBOX.PAYLOAD, JSONB.valueOf("{\"mended\": true}"))
                .where(DISPATCH_OUTBOX.ID.eq(events.get(0)))
                .execute();
        producer.commit();
        LaneReport report = waiting.get().get(1);
        finishing.commit();

        assertThat(report.status()).isEqualTo(LaneReport.Status.DISPLACED);
        assertThat(report.missing()).containsExactly(events.get(0));
        assertThat(consumer.claim(dsl, request(2, 2)).lanes())
                .filteredOn(
                        lane -> lane.lease().lane().equals(lanes.get(1).lease().lane()))
                .singleElement()
                .satisfies(lane -> assertThat(ids(lane)).containsExactlyElementsOf(events));
    }

    /** Taken out: the move of the head in FinishStatement. The delete trigger then does it, by a second update. */
    @Test
    void endsTheLeaseAndMovesTheHeadInOneUpdate() {
        List<EventId> events = appendMany(1, 2);
        LeasedLane lane = claimOne(dsl, 1);
        Session worker = db.begin(Isolation.READ_COMMITTED);

        consumer.finish(worker.dsl(), List.of(LaneOutcome.completed(lane)));

        assertThat(Updates.of(worker, DISPATCH_OUTBOX_USER_HEADS).all()).isOne();
        worker.commit();
        assertThat(head(1).orElseThrow().getHeadId()).isEqualTo(events.get(1));
    }

    @Test
    void recordsAFailureThoughTheHeadDangles() {
        List<EventId> events = appendMany(1, 3);
        LeasedLane lane = claimOne(dsl, 3);
        deleteBySql(db.open(), events.get(0));
        consumer.release(dsl, List.of(lane.lease()));
        LeasedLane dangling = claimOne(dsl, 3);
        assertThat(head(1).orElseThrow().getHeadId()).isEqualTo(events.get(0));

        LaneReport report = finish(LaneOutcome.retry(dangling, events.get(1), DELAY, "no route"));

        assertThat(report.status()).isEqualTo(LaneReport.Status.FINISHED);
        assertThat(head(1).orElseThrow().getHeadId()).isEqualTo(events.get(1));
        assertThat(head(1).orElseThrow().get(DISPATCH_OUTBOX_USER_HEADS.LAST_ERROR))
                .isEqualTo("no route");
    }

    private LaneReport finish(LaneOutcome outcome) {
        return consumer.finish(dsl, List.of(outcome)).get(0);
    }
}
