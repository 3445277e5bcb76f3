package io.lanequeue.rules.broken.outbox;

import io.lanequeue.effects.EffectProducer;

/** One queue that uses the other. */
final class OutboxWithEffects {

    final EffectProducer effects = new EffectProducer();
}
