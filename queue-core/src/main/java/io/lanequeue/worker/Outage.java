package io.lanequeue.worker;

import io.lanequeue.effects.Backoff;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A database that does not do what it is asked: lost, read only, not migrated, or refusing. Whatever it is, the worker
 * tries again after pauses that grow, and says so once when it begins and once when it is over. For the coordinator's
 * thread.
 */
final class Outage {

    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);
    private static final Backoff PAUSES = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

    private final String worker;
    private final Audience audience;
    private int failures;
    private long until;

    Outage(String worker, Audience audience) {
        this.worker = worker;
        this.audience = audience;
    }

    /** Whether to leave the database alone for now. */
    boolean isPausing(long now) {
        return failures > 0 && now < until;
    }

    long until() {
        return until;
    }

    void failed(Throwable failure, long now) {
        failures++;
        until = now + PAUSES.after(failures, ThreadLocalRandom.current()).toNanos();
        if (failures == 1) {
            LOG.warn("Worker {}: the database does not answer as it should; trying until it does", worker, failure);
            audience.tell(WorkerEvents::databaseWentAway);
        } else {
            LOG.debug("Worker {}: tried {} times", worker, failures, failure);
        }
    }

    void succeeded() {
        if (failures > 0) {
            LOG.info("Worker {}: the database answers again, at try {}", worker, failures + 1);
            failures = 0;
            audience.tell(WorkerEvents::databaseCameBack);
        }
    }
}
