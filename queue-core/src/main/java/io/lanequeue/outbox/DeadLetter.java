package io.lanequeue.outbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event that an operator took out of its lane.
 *
 * @param event as it stood in the outbox
 * @param attempts how often it was handed out while it was the head
 * @param lastError why it failed the last time, or null
 * @param reason the operator's words
 * @param discardedAt when, by the database's clock
 */
public record DeadLetter(
        Event event, int attempts, @Nullable String lastError, String reason, Instant discardedAt) {}
