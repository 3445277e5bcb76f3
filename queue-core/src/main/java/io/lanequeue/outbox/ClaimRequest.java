package io.lanequeue.outbox;

import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.InvalidInputException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * What a worker asks for. Begin with {@link #by(String)}: up to 100 lanes, one event of each, for 30 seconds, of all
 * shards, however long they have been available.
 *
 * @param worker the worker's name, kept with the lease for operators; 1 to {@value #MAX_WORKER_LENGTH} characters
 * @param lanes at most so many lanes, 1 to {@value #MAX_LANES}
 * @param eventsPerLane at most so many events of each lane, 1 to {@value #MAX_EVENTS_PER_LANE}
 * @param lease how long the lanes are this worker's, 1 millisecond to 30 days
 * @param shards the shards whose lanes are claimed
 * @param availableSince lanes that have been available since before this moment are left out; {@link Instant#MIN}
 *     leaves out none. See {@link ClaimWindow}, which keeps the moment
 */
public record ClaimRequest(
        String worker, int lanes, int eventsPerLane, Duration lease, LogicalShards shards, Instant availableSince) {

    public static final int MAX_WORKER_LENGTH = 200;
    public static final int MAX_LANES = 10_000;
    public static final int MAX_EVENTS_PER_LANE = 1_000;

    /** @throws InvalidInputException if a part is not as described above */
    public ClaimRequest {
        Inputs.text("worker name", worker, MAX_WORKER_LENGTH);
        Inputs.limit("limit of lanes", lanes, MAX_LANES);
        Inputs.limit("limit of events per lane", eventsPerLane, MAX_EVENTS_PER_LANE);
        Lease.checkTime(lease);
        Objects.requireNonNull(shards, "shards");
        Objects.requireNonNull(availableSince, "availableSince");
    }

    /** The defaults described above, for the named worker. */
    public static ClaimRequest by(String worker) {
        return new ClaimRequest(worker, 100, 1, Duration.ofSeconds(30), LogicalShards.all(), Instant.MIN);
    }

    public ClaimRequest withLanes(int limit) {
        return new ClaimRequest(worker, limit, eventsPerLane, lease, shards, availableSince);
    }

    public ClaimRequest withEventsPerLane(int limit) {
        return new ClaimRequest(worker, lanes, limit, lease, shards, availableSince);
    }

    public ClaimRequest withLease(Duration time) {
        return new ClaimRequest(worker, lanes, eventsPerLane, time, shards, availableSince);
    }

    public ClaimRequest withShards(LogicalShards owned) {
        return new ClaimRequest(worker, lanes, eventsPerLane, lease, owned, availableSince);
    }

    public ClaimRequest withAvailableSince(Instant moment) {
        return new ClaimRequest(worker, lanes, eventsPerLane, lease, shards, moment);
    }
}
