package io.lanequeue.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.outbox.Disagreement.Kind;
import io.lanequeue.schema.EventId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuditTest extends OutboxFixture {

    private final OutboxAudit audit = new OutboxAudit();

    @Test
    void findsNothingWhereTheTriggersDidTheirWork() {
        appendMany(1, 3);
        appendMany(2, 1);
        append(dsl, 2, 0);
        claim(dsl, 1, 1);

        assertThat(disagreements()).isEmpty();
    }

    @Test
    void findsALaneThatWasInsertedRoundTheTriggers() {
        EventId first = ByHand.insertBySql(replica().dsl(), 1, 5);
        ByHand.insertBySql(replica().dsl(), 1, 6);

        assertThat(disagreements())
                .containsExactly(new Disagreement(lane(1), Kind.LANE_WITHOUT_HEAD, null, first, null));
    }

    @Test
    void findsEveryLaneAfterTheHeadsWereTruncated() {
        EventId first = append(dsl, 1, 1);
        EventId second = append(dsl, 2, 1);
        dsl.truncate(DISPATCH_OUTBOX_USER_HEADS).execute();

        assertThat(disagreements())
                .containsExactly(
                        new Disagreement(lane(1), Kind.LANE_WITHOUT_HEAD, null, first, null),
                        new Disagreement(lane(2), Kind.LANE_WITHOUT_HEAD, null, second, null));
    }

    @Test
    void findsALaneWhoseEventsAreAllGone() {
        EventId event = append(dsl, 1, 1);
        deleteBySql(replica(), event);

        assertThat(disagreements())
                .containsExactly(new Disagreement(lane(1), Kind.EMPTY_LANE, event, null, LaneState.READY));
    }

    @Test
    void findsALaneThatADeleteAboveReadCommittedLeftEmpty() {
        EventId event = append(dsl, 1, 1);
        Session session = db.begin(Isolation.REPEATABLE_READ);
        deleteBySql(session, event);
        session.commit();

        assertThat(disagreements())
                .containsExactly(new Disagreement(lane(1), Kind.EMPTY_LANE, event, null, LaneState.READY));
    }

    @Test
    void findsAHeadWhoseEventIsGone() {
        List<EventId> events = appendMany(1, 2);
        claimOne(dsl, 1);
        deleteBySql(db.open(), events.get(0));

        assertThat(disagreements())
                .containsExactly(
                        new Disagreement(lane(1), Kind.DANGLING_HEAD, events.get(0), events.get(1), LaneState.LEASED));
    }

    @Test
    void findsAHeadThatStandsAboveAnEventThatCommittedLate() {
        EventId served = append(dsl, 1, 1);
        EventId behind = append(dsl, 1, 10);
        Session producing = db.begin(Isolation.READ_COMMITTED);
        EventId late = append(producing.dsl(), 1, 5);
        deleteBySql(db.open(), served);
        producing.commit();

        assertThat(disagreements())
                .containsExactly(new Disagreement(lane(1), Kind.HEAD_TOO_HIGH, behind, late, LaneState.READY));
    }

    @Test
    void findsALowerEventThatWasInsertedRoundTheTriggersOfABlockedLane() {
        EventId head = append(dsl, 1, 10);
        consumer.finish(dsl, List.of(LaneOutcome.block(claimOne(dsl, 1), head, "poison")));
        EventId lower = ByHand.insertBySql(replica().dsl(), 1, 5);

        assertThat(disagreements())
                .containsExactly(new Disagreement(lane(1), Kind.HEAD_TOO_HIGH, head, lower, LaneState.BLOCKED));
    }

    @Test
    void findsAHeadWithAnotherPositionThanItsEvent() {
        EventId head = append(dsl, 1, 10);
        dsl.update(DISPATCH_OUTBOX_USER_HEADS)
                .set(DISPATCH_OUTBOX_USER_HEADS.HEAD_PTS, 9)
                .execute();

        assertThat(disagreements())
                .containsExactly(new Disagreement(lane(1), Kind.WRONG_PTS, head, head, LaneState.READY));
    }

    @Test
    void takesTheEventOfAnotherLaneForNoHeadOfThisOne() {
        EventId own = append(dsl, 1, 10);
        EventId foreign = append(dsl, 2, 10);
        dsl.update(DISPATCH_OUTBOX_USER_HEADS)
                .set(DISPATCH_OUTBOX_USER_HEADS.HEAD_ID, foreign)
                .where(DISPATCH_OUTBOX_USER_HEADS.TARGET_USER_ID.eq(lane(1)))
                .execute();

        assertThat(disagreements())
                .containsExactly(new Disagreement(lane(1), Kind.DANGLING_HEAD, foreign, own, LaneState.READY));
    }

    @Test
    void listsNoMoreThanTheLimitAscendingByLane() {
        for (int user = 5; user > 0; user--) {
            append(dsl, user, 1);
        }
        dsl.truncate(DISPATCH_OUTBOX_USER_HEADS).execute();

        assertThat(audit.disagreements(dsl, 3))
                .extracting(Disagreement::lane)
                .containsExactly(lane(1), lane(2), lane(3));
    }

    @Test
    void doesNotWaitForAnOpenRepair() {
        append(dsl, 1, 1);
        dsl.truncate(DISPATCH_OUTBOX_USER_HEADS).execute();
        Session repairing = db.begin(Isolation.READ_COMMITTED);
        audit.repair(repairing.dsl());

        assertThat(disagreements()).hasSize(1);
    }

    private List<Disagreement> disagreements() {
        return audit.disagreements(dsl, 100);
    }

    private Session replica() {
        return ByHand.roundTheTriggers(db.open());
    }
}
