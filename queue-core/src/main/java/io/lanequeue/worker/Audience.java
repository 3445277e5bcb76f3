package io.lanequeue.worker;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whoever is told what the worker does: what it throws harms nobody. */
record Audience(WorkerEvents listener) {

    private static final Logger LOG = LoggerFactory.getLogger(Audience.class);

    void tell(Consumer<WorkerEvents> happening) {
        try {
            happening.accept(listener);
        } catch (RuntimeException | Error e) {
            LOG.warn("The worker's listener failed; the worker goes on", e);
        }
    }
}
