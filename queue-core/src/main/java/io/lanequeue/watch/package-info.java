/**
 * To see what is going on: {@link io.lanequeue.watch.QueueWatch} reads a queue's totals and keeps them for a while, and
 * {@link io.lanequeue.watch.HealthCheck} judges them.
 */
@NullMarked
package io.lanequeue.watch;

import org.jspecify.annotations.NullMarked;
