package io.lanequeue.outbox;

/**
 * What a repair did.
 *
 * @param repairedLanes lanes whose head was moved, added or removed
 * @param busyLanes lanes that still differ because another transaction holds their head, or a worker the lease of a
 *     lane without events: repair again
 */
public record Repair(long repairedLanes, long busyLanes) {}
