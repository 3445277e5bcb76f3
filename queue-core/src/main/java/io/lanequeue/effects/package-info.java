/**
 * The effect queue: jobs of repositories, at least once.
 *
 * <p>{@link io.lanequeue.effects.EffectProducer} enqueues, {@link io.lanequeue.effects.EffectConsumer} claims for one
 * repository or across all of them and reports outcomes, {@link io.lanequeue.effects.EffectUpkeep} brings back what
 * workers left behind, {@link io.lanequeue.effects.EffectOperator} is for operators,
 * {@link io.lanequeue.effects.EffectAudit} checks and repairs. All take the caller's {@code DSLContext} and work in
 * whatever transaction it is in; none begins, commits or rolls back one.
 *
 * <p>Besides what each call names, every call may throw what those of {@link io.lanequeue.outbox} may.
 */
@NullMarked
package io.lanequeue.effects;

import org.jspecify.annotations.NullMarked;
