package io.lanequeue.worker;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Real time. */
final class SystemTiming implements Timing {

    private final long origin = System.nanoTime();
    private final Semaphore wakeUps = new Semaphore(0);

    @Override
    public long nanos() {
        return System.nanoTime() - origin;
    }

    @Override
    public void awaitUntil(long nanos) throws InterruptedException {
        wakeUps.tryAcquire(nanos - nanos(), TimeUnit.NANOSECONDS);
        wakeUps.drainPermits();
    }

    @Override
    public void wake() {
        // One is enough, and nobody drains them while the worker waits for a statement, or once it has ended.
        if (wakeUps.availablePermits() == 0) {
            wakeUps.release();
        }
    }
}
