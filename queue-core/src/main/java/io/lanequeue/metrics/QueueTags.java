package io.lanequeue.metrics;

import io.micrometer.core.instrument.Tags;

/** Which queue a meter is about, and what both queues have. */
final class QueueTags {

    static final Tags OUTBOX = Tags.of("queue", "outbox");
    static final Tags EFFECTS = Tags.of("queue", "effects");

    /** Of both queues. */
    static final String LAG = "lanequeue.lag";

    static final String LAG_DESCRIPTION = "How long the longest has been waiting for a worker";

    private QueueTags() {}
}
