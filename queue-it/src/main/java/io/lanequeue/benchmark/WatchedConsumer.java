package io.lanequeue.benchmark;

import io.lanequeue.benchmark.baseline.BatchConsumer;
import java.sql.SQLException;

/** Counts the claims of an outbox worker that got nothing while there was something to get. */
final class WatchedConsumer implements BatchConsumer {

    private final OutboxBatches consumer;
    private final LiveLanes lanes;
    private final int held;
    private int emptyClaims;

    /** @param held as many lanes as all workers together can hold at a time */
    WatchedConsumer(OutboxBatches consumer, LiveLanes lanes, int held) {
        this.consumer = consumer;
        this.lanes = lanes;
        this.held = held;
    }

    @Override
    public int claim() {
        int claimed = consumer.claim();
        // Lanes only become fewer: if more are left now than workers can hold, one was due all the time.
        if (claimed == 0 && lanes.count() > held) {
            emptyClaims++;
        }
        return claimed;
    }

    @Override
    public void complete() {
        consumer.complete();
        lanes.completed(consumer.claimed());
    }

    @Override
    public void release() {
        consumer.release();
    }

    int emptyClaims() {
        return emptyClaims;
    }

    int gaveWay() {
        return consumer.gaveWay();
    }

    @Override
    public void close() throws SQLException {
        consumer.close();
    }
}
