/**
 * What a {@link io.lanequeue.watch.QueueWatch} sees, and what workers do, as meters of Micrometer, which whoever uses
 * this package brings.
 */
@NullMarked
package io.lanequeue.metrics;

import org.jspecify.annotations.NullMarked;
