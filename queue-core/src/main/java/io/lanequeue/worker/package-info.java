/**
 * The loop around the statements: workers that claim, hand what they claimed to a handler, and report. Start with
 * {@link io.lanequeue.worker.OutboxWorker} or {@link io.lanequeue.worker.EffectWorker}. Nobody has to use it: the
 * statements of {@code io.lanequeue.outbox} and {@code io.lanequeue.effects} stand on their own.
 *
 * <p>Unlike those, a worker has a thread, which alone claims and reports, and it begins and commits transactions, short
 * ones, on connections that it takes from the caller's {@code DataSource} and gives back. Notifications and shared
 * shards add a thread and a connection each.
 */
@NullMarked
package io.lanequeue.worker;

import org.jspecify.annotations.NullMarked;
