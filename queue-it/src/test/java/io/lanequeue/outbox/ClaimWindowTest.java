package io.lanequeue.outbox;

import static io.lanequeue.outbox.ByHand.roundTheTriggers;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimWindowTest extends OutboxFixture {

    private static final Duration LOOK_BACK = Duration.ofSeconds(1);
    private static final Duration FULL_LOOK_EVERY = Duration.ofSeconds(5);
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private long nanoTime;
    private final ClaimWindow window = new ClaimWindow(LOOK_BACK, FULL_LOOK_EVERY, () -> nanoTime);

    @Test
    void aClaimBeginsAMomentBeforeWhatTheLastOneTook() {
        makeAvailable(1, NOON);
        makeAvailable(2, NOON.plusSeconds(10));
        claim(request(1, 1));
        claim(request(1, 1));

        assertThat(window.narrow(request(1, 1)).availableSince())
                .isEqualTo(NOON.plusSeconds(10).minus(LOOK_BACK));
    }

    @Test
    void aClaimThatTakesNothingMovesNothing() {
        makeAvailable(1, NOON);
        claim(request(1, 1));
        claim(request(1, 1));

        assertThat(window.narrow(request(1, 1)).availableSince()).isEqualTo(NOON.minus(LOOK_BACK));
    }

    @Test
    void theFirstClaimLooksFromTheBeginning() {
        assertThat(window.narrow(request(1, 1)).availableSince()).isEqualTo(Instant.MIN);
    }

    @Test
    void whatComesBelowIsFoundByTheNextFullLook() {
        makeAvailable(1, NOON);
        claim(request(10, 1));
        makeAvailable(2, NOON.minusSeconds(10));

        assertThat(claim(request(10, 1)).lanes()).isEmpty();
        nanoTime += FULL_LOOK_EVERY.toNanos();
        assertThat(claim(request(10, 1)).lanes())
                .extracting(lane -> lane.lease().lane())
                .containsExactly(lane(2));
    }

    @Test
    void ofSeveralLanesItIsTheLongestAvailableThatCounts() {
        makeAvailable(1, NOON);
        makeAvailable(2, NOON.plusSeconds(10));
        claim(request(2, 1));

        assertThat(window.narrow(request(1, 1)).availableSince()).isEqualTo(NOON.minus(LOOK_BACK));
    }

    @Test
    void aLaneThatWasOnlySettledCountsToo() {
        makeAvailable(1, NOON);
        roundTheTriggers(db.open()).dsl().deleteFrom(DISPATCH_OUTBOX).execute();

        assertOnlySettled(claim(request(1, 1)), 1);
        assertThat(window.narrow(request(1, 1)).availableSince()).isEqualTo(NOON.minus(LOOK_BACK));
    }

    /**
     * Taken out: the first lane of the shard instead of the taken one. The lane of the second shard is then left out.
     */
    @Test
    void lanesOfAnotherShardThatTheLimitLeftAreStillFound() {
        makeAvailable(1, NOON.minusSeconds(20));
        makeAvailable(1 + 256, NOON.plusSeconds(20));
        makeAvailable(2, NOON);
        ClaimRequest ofTwoShards = request(1, 1).withShards(LogicalShards.of(1, 2));
        Session other = db.begin(Isolation.READ_COMMITTED);
        assertThat(lanesOf(consumer.claim(other.dsl(), ofTwoShards))).containsExactly(lane(1));

        assertThat(lanesOf(claim(ofTwoShards))).containsExactly(lane(1 + 256));
        other.commit();

        assertThat(lanesOf(claim(ofTwoShards))).containsExactly(lane(2));
    }

    @Test
    void aLaneThatWasAlwaysAvailableNarrowsNothing() {
        makeAvailable(1, Instant.MIN);
        claim(request(1, 1));

        assertThat(window.narrow(request(1, 1)).availableSince()).isEqualTo(Instant.MIN);
    }

    @Test
    void timesThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> ClaimWindow.of(Duration.ofSeconds(-1), FULL_LOOK_EVERY))
                .isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> ClaimWindow.of(LOOK_BACK, Duration.ofDays(2)))
                .isInstanceOf(InvalidInputException.class);
    }

    private void makeAvailable(long user, Instant moment) {
        append(dsl, user, 1);
        dsl.update(DISPATCH_OUTBOX_USER_HEADS)
                .set(DISPATCH_OUTBOX_USER_HEADS.AVAILABLE_AT, moment)
                .where(DISPATCH_OUTBOX_USER_HEADS.TARGET_USER_ID.eq(lane(user)))
                .execute();
    }

    private static List<TargetUserId> lanesOf(Claim claim) {
        return claim.lanes().stream().map(lane -> lane.lease().lane()).toList();
    }

    private Claim claim(ClaimRequest request) {
        Claim claim = consumer.claim(dsl, window.narrow(request));
        window.advance(claim);
        return claim;
    }
}
