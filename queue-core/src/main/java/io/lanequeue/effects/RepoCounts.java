package io.lanequeue.effects;

/**
 * How many effects of a repository are in each state. What waits or failed is counted up to a bound, so that a deep
 * backlog costs no more to count than a shallow one.
 *
 * @param scheduled effects that wait until they are due, up to the bound
 * @param enqueued effects that wait to be claimed, up to the bound
 * @param inFlight claimed effects, exactly
 * @param failed effects that failed for good, up to the bound
 */
public record RepoCounts(int scheduled, int enqueued, int inFlight, int failed) {}
