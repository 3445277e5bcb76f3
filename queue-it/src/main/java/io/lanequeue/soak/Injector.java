package io.lanequeue.soak;

import io.lanequeue.command.CommandFailedException;
import io.lanequeue.command.Stopwatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Injects faults: every kind once, in random order, and so on again, until it is told to end. */
final class Injector {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long BETWEEN_TRIES_MILLIS = 5;

    private final Counts<FaultKind> counts = new Counts<>(FaultKind.class);
    private final CountDownLatch firstRound = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<FaultKind> kinds;
    private final Faults faults;
    private final HeldSnapshot snapshot;
    private final Duration between;
    private final Random random;

    Injector(Set<FaultKind> kinds, Faults faults, HeldSnapshot snapshot, Duration between, Random random) {
        // In a fixed order: the seed decides from there.
        this.kinds = kinds.stream().sorted().collect(Collectors.toCollection(ArrayList::new));
        this.faults = faults;
        this.snapshot = snapshot;
        this.between = between;
        this.random = random;
    }

    /** How often each kind has happened. */
    Counts<FaultKind> counts() {
        return counts;
    }

    /** Whether every kind has happened. */
    boolean hasHadEveryKind() {
        return firstRound.getCount() == 0;
    }

    /** No more faults. */
    void end() {
        end.countDown();
    }

    /** Works until told to end. */
    Void work() throws InterruptedException {
        while (end.getCount() > 0) {
            Collections.shuffle(kinds, random);
            for (FaultKind kind : kinds) {
                inject(kind);
            }
            firstRound.countDown();
        }
        snapshot.letGo();
        return null;
    }

    private void inject(FaultKind kind) throws InterruptedException {
        if (end.await((long) (2 * random.nextDouble() * between.toMillis()), TimeUnit.MILLISECONDS)) {
            return;
        }
        snapshot.letGoWhenOver();
        var stopwatch = new Stopwatch();
        while (!faults.happen(kind)) {
            if (end.await(BETWEEN_TRIES_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
            if (stopwatch.elapsed().compareTo(PATIENCE) > 0) {
                throw new CommandFailedException("There was nothing to which this could happen: " + kind.words());
            }
        }
        counts.add(kind);
    }
}
