package io.lanequeue.soak;

import java.time.Duration;
import java.util.List;

/**
 * How a soak ended.
 *
 * @param time how long things were due
 * @param events the load of the outbox when the last event became due
 * @param effects the load of the effect queue at that moment
 * @param drained how long it took from then until nothing was left
 * @param faults how often each kind happened
 * @param books all that was written down
 * @param samples the sizes over time
 */
record SoakReport(
        Duration time,
        Load.Progress events,
        Load.Progress effects,
        Duration drained,
        Counts<FaultKind> faults,
        Books books,
        List<Sample> samples) {

    /** Whether nothing was lost. */
    boolean holds() {
        return books.losses().total() == 0;
    }
}
