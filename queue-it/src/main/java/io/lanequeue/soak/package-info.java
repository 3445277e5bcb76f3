/**
 * The soak: both queues at a fixed rate for a given time, while connections, workers and the server itself are killed,
 * with a ledger outside the database of what was acknowledged and what was delivered. {@link io.lanequeue.soak.Soak} is
 * the command.
 */
@NullMarked
package io.lanequeue.soak;

import org.jspecify.annotations.NullMarked;
