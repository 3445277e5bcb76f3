package io.lanequeue.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperatorLanesTest extends OutboxFixture {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final OutboxOperator operator = new OutboxOperator();

    @Test
    void listsAReadyLaneWithItsHead() {
        EventId head = append(dsl, 1, 7);
        append(dsl, 1, 8);

        LaneStatus status = only(LaneState.READY);

        assertThat(status.lane()).isEqualTo(lane(1));
        assertThat(status.state()).isEqualTo(LaneState.READY);
        assertThat(status.headId()).isEqualTo(head);
        assertThat(status.headPts()).isEqualTo(7);
        assertThat(status.headAge()).isBetween(Duration.ZERO, MINUTE);
        assertThat(status.availableAt()).isBetween(ByHand.clock(dsl).minus(MINUTE), ByHand.clock(dsl));
        assertThat(status.attempts()).isZero();
        assertThat(status.lastError()).isNull();
        assertThat(status.leasedBy()).isNull();
    }

    @Test
    void listsALeasedLaneWithItsWorker() {
        EventId head = append(dsl, 1, 7);
        LeasedLane leased = consumer.claim(dsl, ClaimRequest.by("mail-2").withLease(LEASE))
                .lanes()
                .get(0);

        LaneStatus status = only(LaneState.LEASED);

        assertThat(status.headId()).isEqualTo(head);
        assertThat(status.availableAt()).isEqualTo(leased.leasedUntil());
        assertThat(status.attempts()).isEqualTo(1);
        assertThat(status.lastError()).isNull();
        assertThat(status.leasedBy()).isEqualTo("mail-2");
    }

    @Test
    void listsALaneThatBacksOffWithItsErrorAndUntilWhen() {
        List<EventId> events = appendMany(1, 2);
        LeasedLane leased = claimOne(dsl, 1);
        consumer.finish(dsl, List.of(LaneOutcome.retry(leased, events.get(0), HOUR, "no route")));

        LaneStatus status = only(LaneState.BACKING_OFF);

        assertThat(status.headId()).isEqualTo(events.get(0));
        assertThat(Duration.between(ByHand.clock(dsl), status.availableAt())).isBetween(HOUR.minus(MINUTE), HOUR);
        assertThat(status.attempts()).isEqualTo(1);
        assertThat(status.lastError()).isEqualTo("no route");
        assertThat(status.leasedBy()).isNull();
    }

    @Test
    void listsABlockedLaneWithItsError() {
        EventId head = append(dsl, 1, 7);
        block(1, "poison");

        LaneStatus status = only(LaneState.BLOCKED);

        assertThat(status.headId()).isEqualTo(head);
        assertThat(status.availableAt()).isEqualTo(Instant.MAX);
        assertThat(status.attempts()).isEqualTo(1);
        assertThat(status.lastError()).isEqualTo("poison");
        assertThat(status.leasedBy()).isNull();
    }

    @Test
    void listsEachLaneInOneStateOnly() {
        oneLaneOfEachState();

        assertThat(lanesIn(LaneState.READY)).containsExactly(lane(1));
        assertThat(lanesIn(LaneState.BACKING_OFF)).containsExactly(lane(2));
        assertThat(lanesIn(LaneState.LEASED)).containsExactly(lane(3));
        assertThat(lanesIn(LaneState.BLOCKED)).containsExactly(lane(4));
    }

    @Test
    void listsALaneWhoseLeaseIsOverAsReadyWithItsLastWorker() {
        append(dsl, 1, 1);
        consumer.claim(dsl, ClaimRequest.by("mail-2"));
        ByHand.expireLease(dsl, 1);

        assertThat(only(LaneState.READY).leasedBy()).isEqualTo("mail-2");
        assertThat(lanesIn(LaneState.LEASED)).isEmpty();
    }

    @Test
    void listsALaneWhoseBackOffIsOverAsReadyWithItsError() {
        EventId head = append(dsl, 1, 1);
        consumer.finish(dsl, List.of(LaneOutcome.retry(claimOne(dsl, 1), head, HOUR, "no route")));
        ByHand.availableSince(dsl, 1, Duration.ZERO);

        LaneStatus status = only(LaneState.READY);

        assertThat(status.attempts()).isEqualTo(1);
        assertThat(status.lastError()).isEqualTo("no route");
        assertThat(lanesIn(LaneState.BACKING_OFF)).isEmpty();
    }

    @Test
    void theAgeIsThatOfTheHead() {
        EventId head = append(dsl, 1, 1);
        append(dsl, 1, 2);
        dsl.update(DISPATCH_OUTBOX)
                .set(DISPATCH_OUTBOX.CREATED_AT, ByHand.clock(dsl).minus(HOUR))
                .where(DISPATCH_OUTBOX.ID.eq(head))
                .execute();

        assertThat(only(LaneState.READY).headAge()).isBetween(HOUR, HOUR.plus(MINUTE));
    }

    @Test
    void aHeadWhoseEventIsGoneHasNoAge() {
        List<EventId> events = appendMany(1, 2);
        claimOne(dsl, 1);
        deleteBySql(db.open(), events.get(0));

        LaneStatus status = only(LaneState.LEASED);

        assertThat(status.headId()).isEqualTo(events.get(0));
        assertThat(status.headAge()).isNull();
    }

    @Test
    void listsWhatHasBeenAvailableLongestFirst() {
        append(dsl, 1, 1);
        append(dsl, 2, 1);
        append(dsl, 3, 1);
        ByHand.availableSince(dsl, 1, Duration.ofMinutes(2));
        ByHand.availableSince(dsl, 2, Duration.ofMinutes(1));
        ByHand.availableSince(dsl, 3, Duration.ofMinutes(3));

        assertThat(lanesIn(LaneState.READY)).containsExactly(lane(3), lane(1), lane(2));
    }

    @Test
    void pagesVisitEveryLaneOnceInOrder() {
        for (int user = 1; user <= 7; user++) {
            append(dsl, user, 1);
            ByHand.availableSince(dsl, user, Duration.ofSeconds(user));
        }

        assertThat(pages(LaneState.READY, 3))
                .containsExactly(
                        List.of(lane(7), lane(6), lane(5)), List.of(lane(4), lane(3), lane(2)), List.of(lane(1)));
    }

    @Test
    void pagesGoThroughLanesThatBecameAvailableAtTheSameMoment() {
        for (int user = 1; user <= 5; user++) {
            append(dsl, user, 1);
        }
        dsl.update(DISPATCH_OUTBOX_USER_HEADS)
                .set(
                        DISPATCH_OUTBOX_USER_HEADS.AVAILABLE_AT,
                        ByHand.clock(dsl).minus(MINUTE).plusNanos(1000))
                .execute();

        assertThat(pages(LaneState.READY, 2))
                .containsExactly(List.of(lane(1), lane(2)), List.of(lane(3), lane(4)), List.of(lane(5)));
    }

    @Test
    void pagesGoThroughBlockedLanes() {
        for (int user = 1; user <= 5; user++) {
            append(dsl, user, 1);
            block(user, "poison");
        }

        assertThat(pages(LaneState.BLOCKED, 2))
                .containsExactly(List.of(lane(1), lane(2)), List.of(lane(3), lane(4)), List.of(lane(5)));
    }

    @Test
    void pagesGoThroughLeasedLanes() {
        for (int user = 1; user <= 5; user++) {
            append(dsl, user, 1);
        }
        claim(dsl, 10, 1);

        assertThat(pages(LaneState.LEASED, 2))
                .containsExactly(List.of(lane(1), lane(2)), List.of(lane(3), lane(4)), List.of(lane(5)));
    }

    @Test
    void listsNothingInAnEmptyQueue() {
        for (LaneState state : LaneState.values()) {
            assertThat(operator.lanes(dsl, LaneQuery.of(state))).isEmpty();
        }
    }

    @Test
    void countsLanesByStateAndTheLongestWait() {
        oneLaneOfEachState();
        append(dsl, 5, 1);
        ByHand.availableSince(dsl, 5, HOUR);

        LaneTotals totals = operator.totals(dsl);

        assertThat(totals.ready()).isEqualTo(2);
        assertThat(totals.backingOff()).isEqualTo(1);
        assertThat(totals.leased()).isEqualTo(1);
        assertThat(totals.blocked()).isEqualTo(1);
        assertThat(totals.lag()).isBetween(HOUR, HOUR.plus(MINUTE));
    }

    @Test
    void nothingLagsWhereNothingIsReady() {
        assertThat(operator.totals(dsl)).isEqualTo(new LaneTotals(0, 0, 0, 0, null));

        append(dsl, 1, 1);
        block(1, "poison");
        assertThat(operator.totals(dsl)).isEqualTo(new LaneTotals(0, 0, 0, 1, null));
    }

    @Test
    void countsTheEventsOfALane() {
        appendMany(1, 3);
        appendMany(2, 1);

        assertThat(operator.depth(dsl, lane(1))).isEqualTo(3);
        assertThat(operator.depth(dsl, lane(9))).isZero();
    }

    private void oneLaneOfEachState() {
        EventId backingOff = append(dsl, 2, 1);
        consumer.finish(dsl, List.of(LaneOutcome.retry(claimOne(dsl, 1), backingOff, HOUR, "no route")));
        append(dsl, 3, 1);
        claimOne(dsl, 1);
        append(dsl, 4, 1);
        block(4, "poison");
        append(dsl, 1, 1);
    }

    /** Blocks the one lane that is available. */
    private void block(long user, String error) {
        LeasedLane leased = claimOne(dsl, 1);
        assertThat(leased.lease().lane()).isEqualTo(lane(user));
        consumer.finish(dsl, List.of(LaneOutcome.block(leased, ids(leased).get(0), error)));
    }

    private LaneStatus only(LaneState state) {
        List<LaneStatus> lanes = operator.lanes(dsl, LaneQuery.of(state));
        assertThat(lanes).hasSize(1);
        return lanes.get(0);
    }

    private List<TargetUserId> lanesIn(LaneState state) {
        return operator.lanes(dsl, LaneQuery.of(state)).stream()
                .map(LaneStatus::lane)
                .toList();
    }

    private List<List<TargetUserId>> pages(LaneState state, int limit) {
        List<List<TargetUserId>> pages = new ArrayList<>();
        LaneQuery query = LaneQuery.of(state).withLimit(limit);
        List<LaneStatus> page = operator.lanes(dsl, query);
        while (!page.isEmpty()) {
            pages.add(page.stream().map(LaneStatus::lane).toList());
            query = query.after(page.get(page.size() - 1));
            page = operator.lanes(dsl, query);
        }
        return pages;
    }
}
