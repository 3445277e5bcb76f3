package io.lanequeue.worker;

import io.lanequeue.effects.Backoff;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When to look for work: at once after something was found, else after pauses that double, with jitter, up to the poll
 * interval. For the coordinator's thread.
 */
final class Polling {

    /** How often a pause doubles until it has its full length. */
    private static final int DOUBLINGS = 5;

    private final Backoff pauses;
    private int idleLooks;
    private long nextLook;

    Polling(Duration interval) {
        Duration first = interval.dividedBy(1L << DOUBLINGS);
        this.pauses = new Backoff(first.toMillis() < 1 ? Duration.ofMillis(1) : first, interval);
    }

    boolean isDue(long now) {
        return now >= nextLook;
    }

    long nextLook() {
        return nextLook;
    }

    /** Whether nothing has been found for so long that it is worth to ask first whether anything is due. */
    boolean isIdle() {
        return idleLooks > DOUBLINGS;
    }

    /** Something happened that makes another look worth while. */
    void lookAgain(long now) {
        idleLooks = 0;
        nextLook = now;
    }

    void foundNothing(long now) {
        idleLooks++;
        nextLook = now + pauses.after(idleLooks, ThreadLocalRandom.current()).toNanos();
    }

    /** Nothing is due, and something will be after that time. */
    void foundNothing(long now, Duration untilDue) {
        foundNothing(now);
        nextLook = Math.min(nextLook, now + untilDue.toNanos());
    }
}
