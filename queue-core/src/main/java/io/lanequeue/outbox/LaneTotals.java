package io.lanequeue.outbox;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How many lanes have a backlog, by state.
 *
 * @param ready lanes that the next claims may take
 * @param backingOff lanes that wait after a failed attempt
 * @param leased lanes that a worker holds
 * @param blocked lanes that wait for an operator
 * @param lag how long the longest ready lane has been waiting for a worker; null when none is ready
 */
public record LaneTotals(
        long ready,
        long backingOff,
        long leased,
        long blocked,
        @Nullable Duration lag) {}
