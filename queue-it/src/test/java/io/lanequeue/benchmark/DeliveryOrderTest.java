package io.lanequeue.benchmark;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.benchmark.baseline.Payload;
import io.lanequeue.command.CommandFailedException;
import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.Lease;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.LeaseId;
import io.lanequeue.schema.TargetUserId;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.jooq.JSONB;
import org.junit.jupiter.api.Test;

/** A drain out of order would be measured for nothing: the check sees it. */
class DeliveryOrderTest {

    private final DeliveryOrder order = new DeliveryOrder(2);

    @Test
    void lanesInOrderPass() {
        assertThatNoException().isThrownBy(() -> {
            order.accept(claimOf(0, 0, 1));
            order.accept(claimOf(1, 0));
            order.accept(claimOf(0, 2));
        });
    }

    @Test
    void anEventThatOvertakesIsSeen() {
        assertThatThrownBy(() -> order.accept(claimOf(1, 0, 2, 1)))
                .isInstanceOf(CommandFailedException.class)
                .hasMessage("Lane 1 handed out event 2 instead of 1");
    }

    @Test
    void anEventThatComesTwiceIsSeen() {
        order.accept(claimOf(1, 0));

        assertThatThrownBy(() -> order.accept(claimOf(1, 0))).isInstanceOf(CommandFailedException.class);
    }

    private static Claim claimOf(long lane, long... numbers) {
        var user = new TargetUserId(lane);
        List<Event> events = LongStream.of(numbers)
                .mapToObj(number -> new Event(
                        new EventId(number + 1), user, 0, "test", JSONB.valueOf(Payload.of(number)), Instant.EPOCH))
                .toList();
        var lease = new Lease(user, new LeaseId(1));
        return new Claim(List.of(new LeasedLane(lease, Instant.EPOCH, 1, null, events)), 0, null);
    }
}
