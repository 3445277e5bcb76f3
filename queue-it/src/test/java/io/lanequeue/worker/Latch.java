package io.lanequeue.worker;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A door that a test opens, or waits at. */
final class Latch {

    private static final long PATIENCE_SECONDS = 30;

    private final CountDownLatch door;

    Latch() {
        this(1);
    }

    Latch(int knocks) {
        door = new CountDownLatch(knocks);
    }

    void open() {
        door.countDown();
    }

    /** As a handler that heeds its interruption. */
    void pass() throws InterruptedException {
        if (!door.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("Nobody opened");
        }
    }

    /** As a handler that does not. */
    void passWhateverComes() {
        boolean passed = false;
        while (!passed) {
            try {
                pass();
                passed = true;
            } catch (InterruptedException e) {
                // That is what it does with it.
            }
        }
    }
}
