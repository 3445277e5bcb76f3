package io.lanequeue.worker;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.outbox.ClaimWindow;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.testing.Sent;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;

/** Where the claims of a worker of the outbox begin. */
class OutboxClaimTest extends OutboxWorkerFixture {

    private static final Duration MOMENT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration NEVER_AGAIN = Duration.ofDays(1);
    private static final int LIMIT = 10;

    @Test
    void aClaimBeginsWhereTheLastOneEnded() {
        Lanes lanes = lanes(ClaimWindow.of(MOMENT, NEVER_AGAIN));
        append(1, 1);
        assertThat(claim(lanes, source())).containsExactly(1L);

        appendLongAgo(2);
        append(3, 1);

        assertThat(claim(lanes, source())).containsExactly(3L);
    }

    @Test
    void aFullLookFindsWhatWasMissed() {
        Lanes lanes = lanes(ClaimWindow.of(MOMENT, Duration.ZERO));
        append(1, 1);
        assertThat(claim(lanes, source())).containsExactly(1L);

        appendLongAgo(2);

        assertThat(claim(lanes, source())).containsExactly(2L);
    }

    @Test
    void aFullLookThatHadToGiveWayIsTakenAgain() {
        ClaimWindow window = ClaimWindow.of(MOMENT, NEVER_AGAIN);
        append(1, 1);
        window.advance(new OutboxConsumer().claim(dsl, request()));
        appendLongAgo(2);
        var tries = new AtomicInteger();
        DSLContext givesWayOnce = Sent.listened(source(), sql -> {
            if (tries.incrementAndGet() == 1) {
                throw new DataAccessException("By the test", new SQLException("by the test", "40P01"));
            }
        });

        assertThat(claim(lanes(window), givesWayOnce)).containsExactly(2L);
        assertThat(tries).hasValueGreaterThan(1);
    }

    private Lanes lanes(ClaimWindow window) {
        var call = new HandlerCall(timing, new Audience(witness));
        return new Lanes(
                window, request(), lane -> new HeldLane(lane, (event, attempt) -> {}, RetryPolicy.standard(), call));
    }

    private static List<Long> claim(Lanes lanes, DSLContext context) {
        return lanes.claim(Transactions.on(context), LIMIT).items().stream()
                .map(held -> held.lane().lease().lane().value())
                .toList();
    }

    /** As by a transaction that stayed open for long. */
    private void appendLongAgo(long user) {
        append(user, 1);
        dsl.update(DISPATCH_OUTBOX_USER_HEADS)
                .set(DISPATCH_OUTBOX_USER_HEADS.AVAILABLE_AT, Instant.now().minus(LONG))
                .where(DISPATCH_OUTBOX_USER_HEADS.TARGET_USER_ID.eq(new TargetUserId(user)))
                .execute();
    }
}
