package io.lanequeue.rules.broken.effects;

import io.lanequeue.outbox.OutboxProducer;

/** One queue that uses the other. */
final class EffectsWithOutbox {

    final OutboxProducer outbox = new OutboxProducer();
}
