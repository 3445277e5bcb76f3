package io.lanequeue.soak;

import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** How a producer goes about its transactions. */
final class ProducerHabits {

    private static final Isolation[] ISOLATIONS = Isolation.values();
    private static final int BULK = 100;
    private static final int ONE_BULK_OF = 3;
    private static final int ONE_OPEN_OF = 50;
    private static final int ONE_ROLLBACK_OF = 25;
    private static final int MAX_OPEN_MILLIS = 1_500;

    private final Random random;
    private final CountDownLatch stop;

    ProducerHabits(Random random, CountDownLatch stop) {
        this.random = random;
        this.stop = stop;
    }

    /** How much to put into the next transaction at most. */
    int most() {
        return random.nextInt(ONE_BULK_OF) == 0 ? BULK : 1;
    }

    Isolation isolation() {
        return ISOLATIONS[random.nextInt(ISOLATIONS.length)];
    }

    /** Before a commit: sometimes leaves the transaction open for a while, sometimes has it rolled back. */
    void beforeCommit() throws InterruptedException {
        if (random.nextInt(ONE_OPEN_OF) == 0) {
            stop.await(random.nextInt(MAX_OPEN_MILLIS), TimeUnit.MILLISECONDS);
        }
        if (random.nextInt(ONE_ROLLBACK_OF) == 0) {
            throw new RolledBackOnPurpose();
        }
    }
}
