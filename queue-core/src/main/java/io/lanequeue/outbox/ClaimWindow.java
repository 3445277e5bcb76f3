package io.lanequeue.outbox;

import static java.util.Objects.requireNonNull;

import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.InvalidInputException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Lets a worker's claims begin where the last one ended, and now and then from the beginning.
 *
 * <p>While somebody holds a snapshot open (a backup, a long report, a standby's feedback), the server keeps the index
 * entries of all heads that were served since, and a claim that looks from the beginning walks past every one of them.
 * One that begins a moment before the lanes of the last claim costs the same after hours. What such a claim does not
 * see: a lane whose event was appended by a transaction that stayed open longer than that moment, or whose lease was
 * over for longer. The full looks find them.
 *
 * <pre>{@code
 * ClaimWindow window = ClaimWindow.standard();
 * while (running) {
 *     Claim claim = consumer.claim(dsl, window.narrow(request));
 *     window.advance(claim);
 *     ...
 * }
 * }</pre>
 *
 * <p>One for each set of shards; threads that claim of the same ones may share it. Thread-safe: an older answer that
 * comes later only lets the next claim begin earlier.
 */
public final class ClaimWindow {

    private static final Duration LONGEST = Duration.ofDays(1);

    private final Duration lookBack;
    private final Duration fullLookEvery;
    private final LongSupplier nanoTime;
    private final AtomicLong nextFullLook;
    private final AtomicReference<Instant> since = new AtomicReference<>(Instant.MIN);

    ClaimWindow(Duration lookBack, Duration fullLookEvery, LongSupplier nanoTime) {
        Inputs.duration("time to look back", lookBack, Duration.ZERO, LONGEST);
        Inputs.duration("time between full looks", fullLookEvery, Duration.ZERO, LONGEST);
        this.lookBack = lookBack;
        this.fullLookEvery = fullLookEvery;
        this.nanoTime = nanoTime;
        this.nextFullLook = new AtomicLong(nanoTime.getAsLong());
    }

    /** Looks back a second, and takes a full look every five seconds. */
    public static ClaimWindow standard() {
        return of(Duration.ofSeconds(1), Duration.ofSeconds(5));
    }

    /**
     * @param lookBack how long before the last claimed lanes the next claim begins: longer than the transactions that
     *     append usually take
     * @param fullLookEvery after what time a claim looks from the beginning: how much later an event of a longer
     *     transaction may be found
     * @throws InvalidInputException if one of them is negative or longer than a day
     */
    public static ClaimWindow of(Duration lookBack, Duration fullLookEvery) {
        return new ClaimWindow(lookBack, fullLookEvery, System::nanoTime);
    }

    /** The request for the next claim. */
    public ClaimRequest narrow(ClaimRequest request) {
        long now = nanoTime.getAsLong();
        long due = nextFullLook.get();
        boolean isFullLook = now - due >= 0 && nextFullLook.compareAndSet(due, now + fullLookEvery.toNanos());
        return request.withAvailableSince(isFullLook ? Instant.MIN : requireNonNull(since.get()));
    }

    /** Takes note of what was claimed. */
    public void advance(Claim claim) {
        Instant edge = claim.noneFreeBefore();
        if (edge != null) {
            since.set(edge.equals(Instant.MIN) ? edge : edge.minus(lookBack));
        }
    }
}
