package io.lanequeue.soak;

import io.lanequeue.command.Stopwatch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;

/** Looks at the invariants and at the sizes at intervals, until it is stopped. */
final class Watch {

    private final List<Sample> samples = new CopyOnWriteArrayList<>();
    private final Client client;
    private final Invariants invariants;
    private final Stopwatch stopwatch;
    private final Duration interval;
    private final CountDownLatch stop;

    Watch(Client client, Invariants invariants, Stopwatch stopwatch, Duration interval, CountDownLatch stop) {
        this.client = client;
        this.invariants = invariants;
        this.stopwatch = stopwatch;
        this.interval = interval;
        this.stop = stop;
    }

    /** Works until stopped. */
    Void work() throws InterruptedException {
        while (!stop.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
            look();
        }
        look();
        return null;
    }

    /** Looks once. */
    void look() {
        samples.add(client.callUntilAnswered(this::look));
    }

    private Sample look(DSLContext dsl) {
        invariants.check(dsl);
        return Sample.of(dsl, stopwatch.elapsed());
    }

    List<Sample> samples() {
        return samples;
    }
}
