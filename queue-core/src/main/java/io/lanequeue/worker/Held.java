package io.lanequeue.worker;

import org.jspecify.annotations.Nullable;

/**
 * Something that was claimed and is in hand: a lane or an effect. The coordinator makes it, a thread of the executor
 * works on it, and then the coordinator alone has it again; between them stands {@link Handling}.
 */
abstract class Held {

    final Handling handling = new Handling();

    /**
     * Until when it is surely held, in the worker's time. The coordinator writes it, the handler's thread reads it too.
     */
    private volatile long heldUntil;

    private boolean lost;
    private boolean untried;
    private boolean heldUp;
    private long pauseEnd;

    /** The lane or the effect; what is claimed again later has an equal one. */
    abstract Object subject();

    /** Calls the handler for what was claimed and keeps what became of it. On a thread of the executor. */
    abstract void handle();

    /** Instead of {@link #handle}: it could not be tried, which counts as a failure. */
    abstract void refuse(String reason);

    /** Why it failed, for the log; null if it did not. */
    abstract @Nullable Throwable failure();

    final void heldUntil(long nanos) {
        heldUntil = nanos;
    }

    final long heldUntil() {
        return heldUntil;
    }

    final boolean isHeldAt(long nanos) {
        return nanos < heldUntil;
    }

    /**
     * On the handler's thread: the handler is to be called, now or once more, and whether it may be. The coordinator
     * cancels what may be lost, but it may be held up in a statement, and after a pause of the whole process a
     * handler's thread may run first.
     */
    final boolean mayBeginAt(long nanos) {
        return isHeldAt(nanos) && handling.begin(nanos);
    }

    /** Instead of {@link #handle}: it is not tried, and given back. */
    final void release() {
        untried = true;
    }

    final boolean isUntried() {
        return untried;
    }

    /** The database said that its lease is over for good: there is nothing to report any more. */
    final void lose() {
        lost = true;
        handling.cancel(Cancellation.LEASE_LOST);
    }

    final boolean isLost() {
        return lost;
    }

    /** A lock that its report or extension needs was not to be had: it is left alone until then. */
    final void pauseUntil(long nanos) {
        heldUp = true;
        pauseEnd = nanos;
    }

    final void goOn() {
        heldUp = false;
    }

    final boolean isHeldUp() {
        return heldUp;
    }

    /** Whether it was held up and its pause is over by then. */
    final boolean isDueAgainAt(long nanos) {
        return heldUp && pauseEnd <= nanos;
    }

    final long pauseEnd() {
        return pauseEnd;
    }

    /** Whether its lease is still extended. */
    final boolean isWaitedFor() {
        return !lost && handling.cancellation() != Cancellation.TIME_LIMIT;
    }
}
