package io.lanequeue.soak;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;

import io.lanequeue.effects.EffectOperator;
import io.lanequeue.outbox.Discard;
import io.lanequeue.outbox.LaneQuery;
import io.lanequeue.outbox.LaneState;
import io.lanequeue.outbox.LaneStatus;
import io.lanequeue.outbox.OutboxOperator;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Goes round: frees blocked lanes, with or without their heads, and redrives effects that failed for good. */
final class Operator {

    private static final long BETWEEN_ROUNDS_MILLIS = 200;
    private static final int ONE_DISCARDED_OF = 4;
    private static final int MAX_REDRIVEN = 1_000;

    private final OutboxOperator outbox = new OutboxOperator();
    private final EffectOperator effects = new EffectOperator();
    private final Client client;
    private final Witness witness;
    private final Books books;
    private final Random random;
    private final CountDownLatch stop;

    Operator(Client client, Witness witness, Books books, Random random, CountDownLatch stop) {
        this.client = client;
        this.witness = witness;
        this.books = books;
        this.random = random;
        this.stop = stop;
    }

    /** Works until stopped. */
    Void work() throws InterruptedException {
        while (!stop.await(BETWEEN_ROUNDS_MILLIS, TimeUnit.MILLISECONDS)) {
            List<LaneStatus> blocked =
                    client.callUntilAnswered(dsl -> outbox.lanes(dsl, LaneQuery.of(LaneState.BLOCKED)));
            for (LaneStatus lane : blocked) {
                free(lane);
            }
            redrive();
        }
        return null;
    }

    private void free(LaneStatus lane) throws InterruptedException {
        if (random.nextInt(ONE_DISCARDED_OF) == 0) {
            Optional<Discard> discard = witness.commit(
                    Isolation.READ_COMMITTED,
                    transaction -> outbox.deleteHead(transaction, lane.lane(), lane.headId(), "fails for good"));
            if (discard.filter(Operator::isDiscarded).isPresent()) {
                books.events().removed(List.of(lane.headId()));
                books.happenings().add(Happening.HEAD_DISCARDED);
            }
        } else if (client.callUntilAnswered(dsl -> outbox.retryBlocked(dsl, lane.lane(), lane.headId()))) {
            books.happenings().add(Happening.LANE_FREED);
        }
    }

    private static boolean isDiscarded(Discard discard) {
        return discard.status() == Discard.Status.DISCARDED;
    }

    private void redrive() {
        List<EffectId> failed = client.callUntilAnswered(dsl -> dsl.select(EFFECT_QUEUE.ID)
                .from(EFFECT_QUEUE)
                .where(EFFECT_QUEUE.STATE.eq(EffectState.FAILED))
                .limit(MAX_REDRIVEN)
                .fetch(EFFECT_QUEUE.ID));
        // Those that were superseded are found as done, whether or not there is an answer.
        client.call(dsl -> effects.redrive(dsl, failed));
    }
}
