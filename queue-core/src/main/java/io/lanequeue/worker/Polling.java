package io.lanequeue.worker;

import io.lanequeue.effects.Backoff;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When to look for work: at once after something was found, else after pauses that double, with jitter, up to the poll
 * interval. A pause is at most the first one longer than twice the time for which nothing has been found, however long
 * the interval is. For the coordinator's thread.
 */
final class Polling {

    private static final Duration LONGEST_BEGINNING = Duration.ofSeconds(1);
    private static final int FIRST_PAUSES_IN_BEGINNING = 32;

    /** So many claims find nothing before it is asked first whether anything is due. */
    private static final int IDLE_CLAIMS = 5;

    /** After so many the pauses grow no more, whatever the interval; to count on would overflow one day. */
    private static final int MOST_IDLE_LOOKS = Long.SIZE;

    private final Backoff pauses;
    private int idleLooks;
    private long nextLook;

    Polling(Duration interval) {
        Duration beginning = interval.compareTo(LONGEST_BEGINNING) < 0 ? interval : LONGEST_BEGINNING;
        Duration first = beginning.dividedBy(FIRST_PAUSES_IN_BEGINNING);
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
        return idleLooks > IDLE_CLAIMS;
    }

    /** Something happened that makes another look worth while. */
    void lookAgain(long now) {
        idleLooks = 0;
        nextLook = now;
    }

    void foundNothing(long now) {
        idleLooks = Math.min(idleLooks + 1, MOST_IDLE_LOOKS);
        nextLook = now + pauses.after(idleLooks, ThreadLocalRandom.current()).toNanos();
    }

    /** Nothing is due, and something will be after that time. */
    void foundNothing(long now, Duration untilDue) {
        foundNothing(now);
        // Compared as durations: the time may be so far off that it is no number of nanoseconds.
        if (untilDue.compareTo(Duration.ofNanos(nextLook - now)) < 0) {
            nextLook = now + untilDue.toNanos();
        }
    }
}
